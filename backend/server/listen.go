package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Options of [Server.ListenAndServe].
type Options struct {
	// Listen is HOST:PORT; 127.0.0.1 and a port that is free if empty.
	Listen string
	// Token is what clients have to know; a random one if empty.
	Token string
	// Announce is told the address of the page, with the token in it, once it can be asked; may be nil.
	Announce func(url string)
}

// Limits of time and size. A stream of news is not bound by the first two.
const (
	requestTime = 10 * time.Minute // a batch of 64 MiB through a slow tunnel
	headerTime  = 10 * time.Second
	idleTime    = 2 * time.Minute
	headerBytes = 64 << 10
)

// ListenAndServe answers on a port until ctx ends, and returns nil then: streams of news end, other requests may finish
// within a few seconds, and no goroutine of a request is left.
func (s *Server) ListenAndServe(ctx context.Context, opts Options) error {
	if opts.Listen == "" {
		opts.Listen = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(opts.Listen)
	if err != nil {
		return badInput("the address to listen on is HOST:PORT: %w", err)
	}
	if opts.Token == "" {
		opts.Token = newToken()
	}
	if strings.ContainsFunc(opts.Token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return badInput("the token holds something other than visible ASCII characters")
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", opts.Listen)
	if err != nil {
		return fmt.Errorf("listening on %s (another program may be using that port): %w", opts.Listen, err)
	}
	return s.serve(ctx, listener, host, opts)
}

func (s *Server) serve(ctx context.Context, listener net.Listener, host string, opts Options) error {
	// Somebody has to be told the news for settings to stay current: while the server runs, it is somebody.
	news, unsubscribe := s.backend.Subscribe()
	var background sync.WaitGroup
	background.Go(func() {
		for range news {
			continue
		}
	})
	defer background.Wait()
	defer unsubscribe()

	var connections sync.WaitGroup
	server := &http.Server{
		Handler:           s.overPort(ctx, newGuard(host, opts.Token)),
		ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: requestTime,
		IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				connections.Add(1)
			case http.StateClosed:
				connections.Done()
			case http.StateActive, http.StateIdle, http.StateHijacked:
			}
		},
	}
	served := make(chan error, 1)
	background.Go(func() { served <- server.Serve(listener) })
	if opts.Announce != nil {
		opts.Announce(pageURL(listener.Addr(), host, opts.Token))
	}
	var failure error
	select {
	case failure = <-served:
		s.stop(ctx, server)
	case <-ctx.Done():
		s.stop(ctx, server)
		failure = <-served
	}
	connections.Wait() // after the last of them has come
	if failure != nil && !errors.Is(failure, http.ErrServerClosed) {
		return fmt.Errorf("serving on %s: %w", listener.Addr(), failure)
	}
	return nil
}

// stop lets requests finish for a while, then cuts them off.
func (s *Server) stop(ctx context.Context, server *http.Server) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.drain)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		_ = server.Close() // nothing can be done about a connection that can't be closed
	}
}

// overPort is the whole of what a port answers.
func (s *Server) overPort(stop context.Context, g *guard) http.Handler {
	routes := append(s.routes(), route{"GET /api/events", s.events(stop)})
	api := withHeaders(apiHeaders, g.strangers(g.tokenHolders(zipped(newAPI(routes)))))
	page := withHeaders(pageHeaders, g.strangers(handler(s.sendPage)))
	return s.recovered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAPI(r) {
			api.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	}))
}

// newToken is 256 random bits.
func newToken() string { return rand.Text() + rand.Text() }

// pageURL is the address of the page for a browser on this machine. The token is in the fragment, which a browser keeps
// to itself.
func pageURL(bound net.Addr, host, token string) string {
	_, port, err := net.SplitHostPort(bound.String())
	if err != nil { // the address of a TCP listener always has a port
		panic(err)
	}
	address, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && address.IsUnspecified() && address.Is4():
		host = "127.0.0.1"
	case err == nil && address.IsUnspecified():
		host = "::1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/#token=" + url.QueryEscape(token)
}
