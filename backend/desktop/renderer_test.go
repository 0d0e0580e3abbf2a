package desktop

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBegin(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) worked { return worked{Renderer: safe, Version: "v1", Since: now.Add(-d)} }
	for name, c := range map[string]struct {
		said   renderer
		memory worked
		want   attempt
	}{
		"first start":            {"", worked{}, attempt{plain, true}},
		"safe worked yesterday":  {"", ago(24 * time.Hour), attempt{safe, false}},
		"safe worked long ago":   {"", ago(trust), attempt{plain, true}},
		"safe worked tomorrow":   {"", ago(-time.Hour), attempt{plain, true}},
		"safe in another build":  {"", worked{safe, "v0", now}, attempt{plain, true}},
		"a memory of nonsense":   {"", worked{"fast", "v1", now}, attempt{plain, true}},
		"the user says plain":    {plain, ago(time.Hour), attempt{plain, false}},
		"the user says safe":     {safe, worked{}, attempt{safe, false}},
		"the user says nonsense": {"fast", worked{}, attempt{plain, true}},
		"started again":          {retried, worked{}, attempt{retried, false}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := begin(c.said, c.memory, "v1", now); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestWhatTheUserHasChosenStays(t *testing.T) {
	names := func(r renderer, env map[string]string) []string {
		var list []string
		for _, s := range r.open(func(name string) (string, bool) { v, ok := env[name]; return v, ok }) {
			list = append(list, s.name)
		}
		return list
	}
	none := map[string]string{}
	chosen := map[string]string{"WEBKIT_DISABLE_DMABUF_RENDERER": "0", "LIBGL_ALWAYS_SOFTWARE": ""}
	for _, c := range []struct {
		renderer renderer
		env      map[string]string
		want     []string
	}{
		{plain, none, []string{"WEBKIT_DISABLE_DMABUF_RENDERER"}},
		{plain, chosen, nil},
		{safe, chosen, []string{"WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_DMABUF_RENDERER_DISABLE_GBM"}},
		{retried, chosen, []string{"WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_DMABUF_RENDERER_DISABLE_GBM"}},
	} {
		if diff := cmp.Diff(c.want, names(c.renderer, c.env)); diff != "" {
			t.Errorf("%s beside %v:\n%s", c.renderer, c.env, diff)
		}
	}
}
