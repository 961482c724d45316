//go:build pin

// Package mediaserver is never built. Its import keeps `go mod tidy` from removing LiveKit's server from go.mod.
package mediaserver

import _ "github.com/livekit/livekit-server/cmd/server"
