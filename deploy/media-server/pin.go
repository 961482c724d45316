//go:build pin

// Package mediaserver pins LiveKit's server, so that `go build` takes exactly the versions in go.sum.
package mediaserver

import _ "github.com/livekit/livekit-server/cmd/server"
