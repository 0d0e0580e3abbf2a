package server

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// TestHolder is the other process: it holds a session's lock until its input ends.
func TestHolder(t *testing.T) {
	home := os.Getenv(holdDir)
	if home == "" {
		t.Skip("only as a process of its own")
	}
	release, err := session.Open(home, session.Options{}).Lock(t.Context(), os.Getenv(holdDir+"_ID"))
	must(t, err)
	defer release()
	fmt.Print("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	must(t, err)
}

func TestHeldByAnotherProcess(t *testing.T) {
	f := start(t)
	id := f.sample()
	release := f.hold(id)
	for _, c := range [][3]string{
		{"PATCH", "/api/sessions/" + id, `{"name":"x"}`},
		{"PATCH", "/api/sessions/" + id, `{"archived":true}`},
		{"DELETE", "/api/sessions/" + id, ""},
		{"POST", "/api/sessions/" + id + "/records", message("x")},
		{"POST", "/api/sessions/" + id + "/reverts", fmt.Sprintf(`{"targetSeq":%d}`, f.inForce(id))},
	} {
		p := f.refused(http.StatusConflict, backend.CodeBusy, c[0], c[1], c[2])
		if !strings.Contains(p.Error.Message, "process ") || p.Error.Hint == "" {
			t.Errorf("%v: %+v names no holder", c, p.Error)
		}
	}
	for _, path := range []string{"", "/records", "/outline", "/context"} { // readers take no lock
		ok[any](f, http.StatusOK, "GET", "/api/sessions/"+id+path, "")
	}
	release()
	ok[backend.Session](f, http.StatusOK, "PATCH", "/api/sessions/"+id, `{"name":"x"}`)
}

func (f *fixture) inForce(id string) int64 {
	f.t.Helper()
	seq, err := f.backend.InForce(id)
	must(f.t, err)
	return seq
}
