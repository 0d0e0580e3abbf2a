package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// stalled is how long a client may take to read one piece of news.
const stalled = 30 * time.Second

// events streams news until the client goes, falls too far behind, or stop is done.
func (s *Server) events(stop context.Context) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		news, cancel := s.backend.Subscribe()
		defer cancel()
		stream := stream{w, http.NewResponseController(w)}
		// The limits of time are those of requests that end.
		if err := stream.control.SetReadDeadline(time.Time{}); err != nil {
			return fmt.Errorf("streaming news: %w", err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodHead || !stream.write(": news\n\n") {
			return nil
		}
		beat := time.NewTicker(s.heartbeatOf(r))
		defer beat.Stop()
		for {
			piece := ":\n\n"
			select {
			case <-stop.Done():
				return nil
			case <-r.Context().Done():
				return nil
			case <-beat.C:
			case event, open := <-news:
				if !open {
					return nil
				}
				text, err := encode(event)
				if err != nil { // strings and numbers always can be encoded
					panic(err)
				}
				piece = fmt.Sprintf("data: %s\n", text) // text ends its own line
			}
			if !stream.write(piece) {
				return nil
			}
		}
	}
}

// heartbeatOf is how often there is a sign of life where nothing else happens. What stands between the two ends may take a stream for dead that
// is silent for a minute. A page on this machine has nothing between: the system says when it is gone, and a sign only wakes both.
func (s *Server) heartbeatOf(r *http.Request) time.Duration {
	const seldom = 10
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	ip := net.ParseIP(host)
	if err != nil || ip == nil || !ip.IsLoopback() || !r.ProtoAtLeast(1, 1) {
		return s.heartbeat
	}
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return s.heartbeat
		}
	}
	return seldom * s.heartbeat
}

type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// write sends a piece at once, and reports false once nobody takes it.
func (s stream) write(piece string) bool {
	if s.control.SetWriteDeadline(time.Now().Add(stalled)) != nil {
		return false
	}
	if _, err := s.w.Write([]byte(piece)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
