package server

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"palimpsest/backend"
	"palimpsest/backend/keys"
	"palimpsest/backend/modeltest"
)

// keychain is one in memory.
type keychain struct{ kept sync.Map }

func (k *keychain) Get(account string) (string, error) {
	if kept, ok := k.kept.Load(account); ok {
		key, _ := kept.(string) // by Set
		return key, nil
	}
	return "", keys.ErrNone
}

func (k *keychain) Set(account, key string) error {
	k.kept.Store(account, key)
	return nil
}

func (k *keychain) Delete(account string) error {
	k.kept.Delete(account)
	return nil
}

func TestProvidersAndKeys(t *testing.T) {
	const key = "sk-over-the-port-0123"
	f := start(t)
	model := modeltest.New(t)
	body := `{"baseUrl":"` + model.URL + `","model":"m-1","window":8000}`
	m := ok[backend.Models](f, http.StatusOK, "PUT", "/api/models/providers/work", body)
	if m.Provider == nil || *m.Provider != "work" || len(m.Providers) != 1 || *m.Providers[0].Window != 8000 || m.InUse != nil {
		t.Errorf("%+v", m)
	}
	config := ok[map[string]any](f, http.StatusOK, "PUT", "/api/models", `{"provider":"work","model":"m-2"}`)
	if config["model"] != "m-2" || config["baseUrl"] != model.URL {
		t.Errorf("%v", config)
	}
	m = ok[backend.Models](f, http.StatusOK, "GET", "/api/models", "")
	if m.InUse == nil || *m.InUse != "work" || m.Model != "m-2" || len(m.Models) != 2 || *m.Models[0].WindowFrom != "config" {
		t.Errorf("%+v", m)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/models?provider=nobody", "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", "/api/models/providers/a%20b", body)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", "/api/models/providers/work", `{"baseUrl":"nowhere"}`)
	taken := f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", "/api/models/providers/Default", body)
	if !strings.Contains(taken.Error.Message, "another name than default, which is what the server without a name is called") {
		t.Errorf("%+v", taken)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", "/api/models", `{"provider":"nobody"}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "DELETE", "/api/models/providers/nobody", "")

	// Without a keychain nothing is kept, and what to do instead is said.
	p := f.refused(http.StatusInternalServerError, backend.CodeFailed, "PUT", "/api/models/key", `{"provider":"work","baseUrl":"`+model.URL+`","key":"`+key+`"}`)
	if !strings.Contains(p.Error.Hint, "PALIMPSEST_API_KEY") || strings.Contains(p.Error.Message+p.Error.Hint, key) {
		t.Errorf("%+v", p)
	}
	for _, body := range []string{`{"key":"` + key + ` x"}`, `{"key":7}`, `{"provider":"nobody","key":"` + key + `"}`, `{"provider":"work","baseUrl":"http://127.0.0.1:1/v1","key":"` + key + `"}`} {
		a := f.ask("PUT", "/api/models/key", body)
		if a.status != http.StatusBadRequest && a.status != http.StatusInternalServerError || strings.Contains(string(a.body), key) {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	m = ok[backend.Models](f, http.StatusOK, "DELETE", "/api/models/providers/work", "")
	if len(m.Providers) != 0 || m.InUse != nil {
		t.Errorf("%+v", m)
	}
	if strings.Contains(f.log.String(), key) {
		t.Error(f.log)
	}
}

// TestAKeyIsKept with a keychain: whether there is one is told, and the key to nobody.
func TestAKeyIsKept(t *testing.T) {
	const key = "sk-over-the-port-0123"
	f := start(t, &keychain{})
	model := modeltest.New(t)
	must(t, f.backend.UseModel(model.URL, "m-1"))
	place := `"provider":null,"baseUrl":"` + model.URL + `"`
	a := f.ask("PUT", "/api/models/key", `{`+place+`,"key":"`+key+`"}`)
	if a.status != http.StatusOK || !strings.Contains(string(a.body), `"keyFrom":"keychain"`) || strings.Contains(string(a.body), key) {
		t.Errorf("%d %s", a.status, a.body)
	}
	type undoable struct {
		backend.Models
		Undo *string
	}
	if again := ok[undoable](f, http.StatusOK, "PUT", "/api/models/key", `{`+place+`,"key":"`+key+`"}`); again.Undo != nil {
		t.Error("it was the same")
	}
	m := ok[undoable](f, http.StatusOK, "DELETE", "/api/models/key", `{`+place+`}`)
	if m.HasKey || m.KeyFrom != nil || m.Undo == nil {
		t.Fatalf("%+v", m)
	}
	undo := `{"undo":"` + *m.Undo + `"}`
	ok[map[string]any](f, http.StatusOK, "POST", "/api/models/undos", undo)
	if m := ok[backend.Models](f, http.StatusOK, "GET", "/api/models", ""); !m.HasKey {
		t.Error("it is not back")
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", "/api/models/undos", undo)
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", "/api/models/undos", `{}`)
	if strings.Contains(f.log.String(), key) {
		t.Error(f.log)
	}
}
