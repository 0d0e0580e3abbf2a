package server

import (
	"context"
	"fmt"
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
		beat := time.NewTicker(s.heartbeat)
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
