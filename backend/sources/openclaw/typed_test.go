package openclaw

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestBehindWhatWasInjected: what stands behind the gateway's own words in a message was typed, and the message is the user's.
func TestBehindWhatWasInjected(t *testing.T) {
	const event, inside = `System: [2026-01-02 10:00:00] Node connected\n`, `<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n`
	for begins, typed := range map[string]bool{
		event: false, inside: false, event + event + `\n`: false, `<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nhello`: false,
		event + `\nhello`: true, inside + `\nhello`: true, event + inside + `hello`: true, inside + event + `hello`: true,
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": text("1 - "+user(begins), "2 1 "+said("yes"))}))
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		title := ""
		if typed {
			title = "hello"
		}
		if f.FirstMessage != title {
			t.Errorf("%s: called %q", begins, f.FirstMessage)
		}
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || len(r.Records) < 3 || (r.Records[1].Message != nil) != typed {
			t.Errorf("%s: %v\n%s", begins, r.Err, r.Story())
		}
	}
}
