//go:build pin

// Package tools is never built. Its imports keep `go mod tidy` from removing the programs of `npm run test:deploy` from go.mod.
package tools

import (
	_ "github.com/yannh/kubeconform/cmd/kubeconform"
	_ "go.etcd.io/etcd/server/v3"
	_ "helm.sh/helm/v4/cmd/helm"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
