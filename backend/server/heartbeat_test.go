package server

import (
	"net/http/httptest"
	"testing"
	"time"
)

// TestNoSignOfLifeForWhoIsHere: a page on this machine is not woken by signs of life, as what reaches it through another program is, and from
// another machine.
func TestNoSignOfLifeForWhoIsHere(t *testing.T) {
	s := &Server{heartbeat: time.Second}
	for _, test := range []struct {
		from, header, proto string
		seldom              bool
	}{
		{from: "127.0.0.1:40000", seldom: true},
		{from: "[::1]:40000", seldom: true},
		{from: "192.0.2.1:40000"},
		{from: "pipe"},
		{from: "127.0.0.1:40000", header: "X-Forwarded-For"},
		{from: "127.0.0.1:40000", header: "Via"},
		{from: "127.0.0.1:40000", proto: "HTTP/1.0"},
	} {
		r := httptest.NewRequest("GET", "/api/events", nil)
		r.RemoteAddr = test.from
		if test.header != "" {
			r.Header.Set(test.header, "192.0.2.1")
		}
		if test.proto != "" {
			r.Proto, r.ProtoMajor, r.ProtoMinor = test.proto, 1, 0
		}
		if got := s.heartbeatOf(r) > s.heartbeat; got != test.seldom {
			t.Errorf("%+v: seldom %t", test, got)
		}
	}
}
