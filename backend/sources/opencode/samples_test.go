package opencode

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestSamples reads what real versions wrote.
func TestSamples(t *testing.T) {
	cache := &sqlite.Cache{}
	defer func() { _ = cache.Close() }()
	if n := sourcetest.CheckSamples(t, Source{cache}, "opencode-", "the answer failed or was stopped"); n < 15 {
		t.Errorf("only %d sessions", n)
	}
}

// TestSampleContexts holds what the model sees in some of them against what was read by eye.
func TestSampleContexts(t *testing.T) {
	home := sourcetest.Samples(t, "opencode-1.18.33")[0]
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	for id, want := range map[string]struct{ messages, context, cleared, blobs int }{
		"ses_e0444134bffeOLtUCb96GvBZpi": {11, 11, 0, 0}, // a call, a long answer, two calls at once
		"ses_e04424653ffep9u5TDznCxTnI9": {15, 12, 0, 0}, // compacted by itself, then told to go on; asked for the summary, too
		"ses_e0443666effekRp2jJ7dqTgrw1": {2, 3, 0, 1},   // a picture
		"ses_e0442faafffeBlOZsDKwJ1U7Ez": {4, 4, 0, 1},   // output that was spilled
		"ses_e0419d44effessKri4omgtdfpX": {36, 36, 4, 0}, // output that was cleared
	} {
		r := sourcetest.Read(t, Source{}, env, found[id])
		messages, cleared := 0, 0
		for _, rec := range r.Records {
			if rec.Message != nil {
				messages++
			}
			if rec.Prune != nil {
				cleared += len(rec.Prune.Seqs)
			}
		}
		if got := len(r.Context(t).Messages); messages != want.messages || got != want.context || cleared != want.cleared || len(r.Blobs) != want.blobs {
			t.Errorf("%s: %d messages, %d in the context, %d cleared, %d blobs\n%s", id, messages, got, cleared, len(r.Blobs), r.Story())
		}
	}
}
