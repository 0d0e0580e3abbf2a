package openclaw

import (
	"testing"

	"palimpsest/backend/sources"
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

// TestWhoAsks: what another session says is no person's, and in a session that one started what nobody says a person typed.
func TestWhoAsks(t *testing.T) {
	for whose, want := range map[string][2]bool{"": {false, true}, `,"provenance":{"kind":"inter_session"}`: {true, true}, `,"provenance":{"kind":"external_user"}`: {false, false}} {
		home := sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": text(`1 - "type":"message","message":{"role":"user","content":"go"` + whose + `}`)})
		env := sourcetest.Env(t, home)
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		for i, relation := range []sources.Relation{"", sources.Subagent} {
			f.Relation = relation
			r := sourcetest.Read(t, Source{}, env, f)
			last := r.Records[len(r.Records)-1].Message
			if r.Err != nil || last == nil || last.ByAgent != want[i] {
				t.Errorf("%s in a %q: %v\n%s", whose, relation, r.Err, r.Log)
			}
		}
	}
}

// TestWhoseItIs: later versions say whose a message is, which no person typed then; what another session says stays a message, without the
// gateway's words in the title.
func TestWhoseItIs(t *testing.T) {
	const routed = `[Inter-session message] sourceSession=agent:main:main isUser=false\nThis content was routed by OpenClaw from another session or internal tool. x\ndo this`
	of := func(kind, text string) string {
		return `"type":"message","message":{"role":"user","content":"` + text + `","provenance":{"kind":"` + kind + `"}}`
	}
	for message, title := range map[string]string{
		of("internal_system", "recover"): "", of("inter_session", routed): "do this", of("external_user", "hello"): "hello", user("[OpenClaw heartbeat poll]"): "",
		user("A new session was started via /new or /reset. Greet."): "",
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": text("1 - "+message, "2 1 "+said("yes"), "3 2 "+mirror("delivery-mirror"))}))
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, f)
		if f.FirstMessage != title || f.Model != "m" || (r.Records[1].Message != nil) != (title != "") {
			t.Errorf("%s: %q %s\n%s", message, f.FirstMessage, f.Model, r.Story())
		}
	}
}
