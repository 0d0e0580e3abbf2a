package scan

import (
	"context"
	"errors"
	"sync"
)

// errCancelled ends a scan that the user ended.
var errCancelled = errors.New("the scan was cancelled")

// gate lets work through, holds it, or ends it.
type gate struct {
	mu   sync.Mutex
	mode mode
	// turn counts the scans that were ended to begin again.
	turn, ended int
	moved       chan struct{} // closed when the mode changes; nil until somebody waits
}

type mode uint8

const (
	open mode = iota
	closed
	ended
)

func (g *gate) set(m mode) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = m
	g.tell()
}

// again ends the scan that is under way, and lets the next one through.
func (g *gate) again() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = open
	g.turn++
	g.tell()
}

func (g *gate) tell() {
	if g.moved != nil {
		close(g.moved)
		g.moved = nil
	}
}

// pass returns when work may go on, and an error when it has to end.
func (g *gate) pass(ctx context.Context) error {
	for {
		g.mu.Lock()
		mode, again := g.mode, g.turn != g.ended
		if mode == closed && g.moved == nil {
			g.moved = make(chan struct{})
		}
		moved := g.moved
		g.mu.Unlock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if mode == ended || again {
			return errCancelled
		}
		if mode == open {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
		}
	}
}

// over tells that the scan under way has to end.
func (g *gate) over() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode == ended || g.turn != g.ended
}

// begin notes that a new scan begins.
func (g *gate) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = g.turn
}

func (g *gate) paused() bool    { return g.is(closed) }
func (g *gate) cancelled() bool { return g.is(ended) }

func (g *gate) is(m mode) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode == m
}
