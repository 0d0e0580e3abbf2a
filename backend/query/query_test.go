package query

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// brief notation: a word, -a word, /an expression/, name:value.
func shown(q Query) []string {
	out := []string{}
	for _, t := range q.Terms {
		s := "[" + t.Text + "]"
		if t.Regex {
			s = "/" + t.Text + "/"
		}
		if t.Not {
			s = "-" + s
		}
		out = append(out, s)
	}
	for _, f := range q.Filters {
		s := string(f.Name) + "=" + f.Value
		if f.Not {
			s = "-" + s
		}
		out = append(out, s)
	}
	return out
}

func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                 {},
		" \t\n\u3000":                      {},
		"two words":                        {"[two]", "[words]"},
		"same same":                        {"[same]"},
		`"a phrase" word`:                  {"[a phrase]", "[word]"},
		`"say ""hi"" now"`:                 {`[say "hi" now]`},
		`"key":"value"`:                    {`[key":"value]`},
		`"`:                                {`["]`},
		`""`:                               {`[""]`},
		`"""`:                              {`["""]`},
		`""""`:                             {`["]`},
		`" art"`:                           {"[ art]"},
		`x -" art " y`:                     {"[x]", "-[ art ]", "[y]"},
		`" "`:                              {`["]`},
		`" " x`:                            {`["]`, "[x]"},
		`5 " x`:                            {"[5]", `["]`, "[x]"},
		`say " hi "a b"`:                   {"[say]", `["]`, "[hi]", "[a b]"},
		`"open end`:                        {`["open]`, "[end]"},
		`it's 5" wide`:                     {"[it's]", `[5"]`, "[wide]"},
		`C:\x`:                             {`[C:\x]`},
		`C:\x\"`:                           {`[C:\x\"]`},
		"http://x":                         {"[http://x]"},
		"std::vector":                      {"[std::vector]"},
		"model::Foo id::new":               {"[model::Foo]", "[id::new]"},
		"tool://x":                         {"[tool://x]"},
		"a-b":                              {"[a-b]"},
		"f(x)":                             {"[f(x)]"},
		"-":                                {"[-]"},
		"- x":                              {"[-]", "[x]"},
		"-> --flag -= -- x ->y":            {"[->]", "[--flag]", "[-=]", "[--]", "[x]", "[->y]"},
		`x -(y) -.env -$A -~/b -\c -👍 -"d`: {"[x]", "-[(y)]", "-[.env]", "-[$A]", "-[~/b]", `-[\c]`, "-[👍]", `-["d]`},
		"rm -rf":                           {"[rm]", "-[rf]"},
		`x -"a b" -/c+/`:                   {"[x]", "-[a b]", "-/c+/"},
		"x -漢字":                            {"[x]", "-[漢字]"},
		"漢字　🎉":                             {"[漢字]", "[🎉]"},
		"/a+b/":                            {"/a+b/"},
		`/a\/b c/`:                         {"/a/b c/"},
		"/usr/bin/":                        {"[/usr/bin/]"},
		"/usr /tmp/":                       {"[/usr]", "/tmp/"},
		"//":                               {"[//]"},
		"/ a":                              {"[/]", "[a]"},
		"agent:codex in:dropped x":         {"[x]", "agent=codex", "in=dropped"},
		"-in:context -tool:a -tool:b":      {"-in=context", "-tool=a", "-tool=b"},
		"tool:a tool:b tool:a":             {"tool=a", "tool=b"},
		`project:"my app" -name:"x y"`:     {"project=my app", "-name=x y"},
		"tool: agent:":                     {"[tool:]", "[agent:]"},
		"Agent:codex TOOL:bash":            {"[Agent:codex]", "[TOOL:bash]"},
		"scope:user,output":                {"scope=user,output"},
		"tool:bash,read -model:gpt,pi":     {"tool=bash,read", "-model=gpt,pi"},
		"compactions:>=5 compactions:2":    {"compactions=>=5", "compactions=2"},
		"after:2026-10 before:2w on:today": {
			"after=2026-10", "before=2w", "on=today",
		},
		"id:codex:0199":   {"id=codex:0199"},
		"x\xffy":          {"[x\uFFFDy]"},
		"a\x00b":          {"[a\x00b]"},
		"is:gone is:gone": {"is=gone"},
	} {
		q := Parse(text, false)
		if diff := cmp.Diff(want, shown(q)); diff != "" || len(q.Problems) > 0 {
			t.Errorf("%q: %s %q", text, diff, q.Problems)
		}
	}
}

func TestWhatMeansNothingIsText(t *testing.T) {
	for text, want := range map[string]struct {
		read    []string
		problem string
	}{
		"in:foo":                           {[]string{"[in:foo]"}, "“in:foo” is looked for as text: in: can be context, summary or dropped"},
		"scope:user,":                      {[]string{"[scope:user,]"}, "scope: can be user"},
		"agent:,":                          {[]string{"[agent:,]"}, "such as codex,pi"},
		"tool:bash,":                       {[]string{"[tool:bash,]"}, "such as bash,read"},
		"after:soon":                       {[]string{"[after:soon]"}, "needs a time such as 2026"},
		"on:2026-02-30":                    {[]string{"[on:2026-02-30]"}, "needs a time"},
		"on:2026-13":                       {[]string{"[on:2026-13]"}, "needs a time"},
		"on:0000":                          {[]string{"[on:0000]"}, "needs a time"},
		"compactions:many":                 {[]string{"[compactions:many]"}, "such as 5 or >=5"},
		"compactions:=>5":                  {[]string{"[compactions:=>5]"}, "such as 5"},
		"compactions:+5":                   {[]string{"[compactions:+5]"}, "such as 5"},
		"/[/":                              {[]string{"[[]"}, "“[” is looked for as text: it is no regular expression, missing closing ]"},
		"/a*/":                             {[]string{"[a*]"}, "fits every text"},
		"-x":                               {[]string{"[-x]"}, "“-x” is looked for as it stands"},
		`-"a b" is:gone`:                   {[]string{`[-"a b"]`, "is=gone"}, "looked for as it stands"},
		"-in:foo":                          {[]string{"[-in:foo]"}, "looked for as text"},
		"compactions:99999999999999999999": {[]string{"[compactions:99999999999999999999]"}, "such as 5"},
	} {
		q := Parse(text, false)
		if diff := cmp.Diff(want.read, shown(q)); diff != "" || len(q.Problems) != 1 || !strings.Contains(q.Problems[0], want.problem) {
			t.Errorf("%q: %s %q", text, diff, q.Problems)
		}
	}
	words := make([]string, 100)
	for i := range words {
		words[i] = strings.Repeat("x", i+1)
	}
	if q := Parse(strings.Join(words, " "), false); len(q.Terms) != termsMost || len(q.Problems) != 1 {
		t.Errorf("%d terms, %q", len(q.Terms), q.Problems)
	}
	if q := Parse("-"+strings.Join(words, " -"), false); len(q.Problems) != 2 || !strings.Contains(q.Problems[1], "“-x” is looked for as it stands, and so are 63 others") {
		t.Errorf("%q", q.Problems)
	}
	// The word that these would be left out with is not looked for.
	if q := Parse("-"+strings.Join(words, " -")+" last", false); len(q.Terms) != termsMost || slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Not }) {
		t.Errorf("%d terms are left out of everything: %+v", len(q.Terms), q.Terms)
	}
}

func TestSeveralValues(t *testing.T) {
	for text, want := range map[string][]string{
		"agent:codex,pi": {"codex", "pi"}, "tool:bash,read": {"bash", "read"}, "model:gpt": {"gpt"}, "name:a,b": {"a,b"},
		`project:"a, b"`: {"a", " b", "a, b"}, "project:api": {"api"},
	} {
		if diff := cmp.Diff(want, Parse(text, false).Filters[0].Values()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestParseAsExpression(t *testing.T) {
	for text, want := range map[string][]string{
		`foo\s+bar  (baz|qux) tool:bash`: {`/foo\s+bar  (baz|qux)/`, "tool=bash"},
		`in:dropped "a b"`:               {`/"a b"/`, "in=dropped"},
		`a -in:context b`:                {"/a b/", "-in=context"},
		`-x`:                             {"/-x/"},
		`a\/b`:                           {"/a/b/"},
		"  a ":                           {"/  a /"},
		" in:context  a":                 {"/a/", "in=context"},
		" a  in:context ":                {"/ a/", "in=context"},
		"in:context a ":                  {"/a /", "in=context"},
		"   ":                            {},
		``:                               {},
	} {
		q := Parse(text, true)
		if diff := cmp.Diff(want, shown(q)); diff != "" || len(q.Problems) > 0 {
			t.Errorf("%q: %s %q", text, diff, q.Problems)
		}
	}
	if q := Parse("f(x in:foo", true); len(q.Problems) != 2 || q.Terms[0] != (Term{Text: "f(x in:foo"}) {
		t.Errorf("%+v", q)
	}
}

// TestSpaced: white space in a phrase fits any.
func TestSpaced(t *testing.T) {
	for phrase, fits := range map[string]map[string]bool{
		"connection refused": {"connection refused": true, "connection\nrefused": true, "connection \r\n\t refused": true, "connection\u00a0refused": true, "connection\u3000refused": true, "connection\vrefused": true, "connectionrefused": false, "connection, refused": false},
		"f(x) y":             {"f(x)\ny": true, "fx y": false},
		" a":                 {"\na": true, "a": false},
		"a ":                 {"a\n": true, "a": false},
		"a  b":               {"a b": true},
	} {
		expr, ok := Term{Text: phrase}.Spaced()
		for text, want := range fits {
			if got := regexp.MustCompile(expr).MatchString(text); !ok || got != want {
				t.Errorf("%q as %q in %q: %v", phrase, expr, text, got)
			}
		}
	}
	for _, term := range []Term{{Text: "word"}, {Text: "a b", Regex: true}, {}} {
		if expr, ok := term.Spaced(); ok {
			t.Errorf("%+v became %q", term, expr)
		}
	}
}

func TestTimes(t *testing.T) {
	zone := time.FixedZone("X", 2*3600)
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, zone)
	at := func(text string) time.Time {
		moment, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	for _, c := range []struct {
		filter, first, last string
		want                bool
	}{
		{"after:2026", "2025-12-01 00:00", "2025-12-31 23:59", false},
		{"after:2026", "2025-12-01 00:00", "2026-01-01 00:00", true},
		{"before:2026", "2025-12-01 00:00", "2025-12-31 23:59", true},
		{"before:2026", "2025-12-01 00:00", "2026-01-01 00:00", false},
		{"on:2026-02", "2026-01-30 00:00", "2026-02-01 00:00", true},
		{"on:2026-02", "2026-01-30 00:00", "2026-01-31 23:59", false},
		{"on:2026-02", "2026-02-28 23:59", "2026-03-01 00:00", true},
		{"on:2026-02", "2026-03-01 00:00", "2026-03-01 00:01", false},
		{"on:2026-02", "2026-01-01 00:00", "2026-05-01 00:00", true},
		{"on:2026-02-28", "2026-02-27 00:00", "2026-02-27 23:59", false},
		{"on:yesterday", "2026-02-28 23:59", "2026-02-28 23:59", true},
		{"on:yesterday", "2026-03-01 00:00", "2026-03-01 00:01", false},
		{"on:today", "2026-03-01 00:00", "2026-03-01 00:00", true},
		{"after:7d", "2026-02-20 00:00", "2026-02-22 00:29", false},
		{"after:7d", "2026-02-20 00:00", "2026-02-22 00:30", true},
		{"before:2w", "2026-01-01 00:00", "2026-02-15 00:29", true},
		{"before:2w", "2026-01-01 00:00", "2026-02-15 00:30", false},
	} {
		q := Parse(c.filter, false)
		if len(q.Filters) != 1 {
			t.Fatalf("%s: %+v", c.filter, q)
		}
		if got := q.Filters[0].Holds(at(c.first), at(c.last), now); got != c.want {
			t.Errorf("%s holds %s to %s: %v", c.filter, c.first, c.last, got)
		}
	}
	// The day on which the clock goes forward has 23 hours.
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	span := Filter{Name: On, Value: "2026-03-29"}.Span(time.Date(2026, 5, 1, 0, 0, 0, 0, berlin))
	if span.Until.Sub(span.From) != 23*time.Hour {
		t.Errorf("%v", span)
	}
}

func TestBound(t *testing.T) {
	for value, want := range map[string]string{
		"2": "2", "=2": "2", ">2": "34", ">=2": "234", "<2": "01", "<=2": "012",
	} {
		got := ""
		for n := range 5 {
			if (Filter{Name: Compactions, Value: value}).Bound(n) {
				got += string(rune('0' + n))
			}
		}
		if got != want {
			t.Errorf("%s: %s", value, got)
		}
	}
}

// pieces make texts that come near everything that means something.
var pieces = rapid.SampledFrom([]string{
	"a", "B", "漢", "🎉", " ", "\n", "\u3000", `"`, `""`, "-", "/", `\`, ":", "::", "in:", "in:context", "after:", "2026-10", "7d", "scope:user", ",",
	"compactions:", ">=", "5", "(", "[", "*", "+", "x y", "tool:", "id:", "\xff", "\x00", "is:gone", "name:",
})

func checkRoundTrip(t interface{ Errorf(string, ...any) }, text string, regex bool) {
	q := Parse(text, regex)
	again := Parse(q.String(), false)
	if diff := cmp.Diff(shown(q), shown(again)); diff != "" {
		t.Errorf("%q is %q: %s", text, q.String(), diff)
	}
	if len(again.Problems) > 0 && len(q.Problems) == 0 {
		t.Errorf("%q is %q: %q", text, q.String(), again.Problems)
	}
}

func TestWrittenAndReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkRoundTrip(t, strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "text"), ""), rapid.Bool().Draw(t, "regex"))
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"", `"a b" -c /d/ in:dropped`, `C:\x "`, `-"x""" /\//`, "after:2026-02-29"} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, regex bool) {
		checkRoundTrip(t, text, regex)
	})
}
