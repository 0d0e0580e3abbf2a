package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"palimpsest/backend"
)

// guard decides who may ask over a port.
//
// The host is checked against DNS rebinding: a page of another site can make its own name resolve to this machine, but
// its requests still carry that name. Any port will do, since a tunnel ends on a port of its own. The origin is checked
// because a browser sends a page's requests wherever the page likes; what has none is not from a page of another site.
type guard struct {
	// host is what the server was told to listen on, without the port.
	host string
	// token is hashed: comparing hashes takes the same time whatever was sent, and however long.
	token [sha256.Size]byte
}

func newGuard(host, token string) *guard { return &guard{host, sha256.Sum256([]byte(token))} }

// strangers refuses requests that a foreign page could have made.
func (g *guard) strangers(next http.Handler) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		if !g.knows(hostname(r.Host)) {
			return forbidden("the host "+shown(r.Host)+" is not one that this server answers to",
				"use the address that was printed at the start, or give the name to --listen")
		}
		if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !sameOrigin(origins[0], r.Host) {
			return forbidden("a page of "+shown(strings.Join(origins, ", "))+" may not ask here", "")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// tokenHolders refuses requests without the token.
func (g *guard) tokenHolders(next http.Handler) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		sum := sha256.Sum256([]byte(token))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(sum[:], g.token[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			return &refusal{http.StatusUnauthorized, backend.Problem{
				Code: codeUnauthorised, Message: "this needs the token of the running server",
				Hint: "open the address that palimpsest serve printed, or send Authorization: Bearer TOKEN",
			}}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

func forbidden(message, hint string) error {
	return &refusal{http.StatusForbidden, backend.Problem{Code: codeForbidden, Message: message, Hint: hint}}
}

func (g *guard) knows(host string) bool {
	if strings.EqualFold(host, "localhost") || host != "" && strings.EqualFold(host, g.host) {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	if address.Unmap().IsLoopback() || g.host == "" {
		return true
	}
	told, err := netip.ParseAddr(g.host)
	return err == nil && (told.IsUnspecified() || told.Unmap() == address.Unmap())
}

// hostname is a Host header without port and brackets; empty if it is neither a host nor a host and a port.
func hostname(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return ""
		}
		return name
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		if !closed {
			return ""
		}
		return inner
	}
	return host
}

// sameOrigin tells whether an Origin header names the server that was asked. Others on the same host are foreign, by
// scheme or by port.
func sameOrigin(origin, host string) bool { return strings.EqualFold(origin, "http://"+host) }
