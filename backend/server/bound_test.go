//go:build !race

package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/states"
)

// unbounded are the routes whose answers are as long as what they are asked for, and why the page is not harmed.
var unbounded = map[string]string{
	"GET /api/sessions/{id}/export":         "it goes into a file",
	"GET /api/sessions/{id}/blobs/{sha256}": "an image, or a long text, as somebody put it there",
	"GET /api/images/{sha256}":              "an image that the page sent",
	"GET /api/desk/{key}":                   "what the page itself laid there, as it laid it there",
	"GET /api/sessions/{id}/drafts/{draft}": "a summary, of which its model was told how long it may be",
}

// large is a library in which each list is long.
type large struct {
	*fixture
	long, often, ahead, parent string
}

// many rows of a list are more than a page is handed at once.
const many = 700

const cwdOfMany = "/srv/work/a folder of which the name is long/"

func openLarge(t *testing.T) *large {
	t.Helper()
	f, home := abroad(t)
	l := &large{fixture: f, parent: "claudecode:00000000-0000-4000-8000-000000000001"}
	cwd := strings.Repeat(cwdOfMany, 50)
	f.fill(many, cwd)
	must(t, os.Rename(filepath.Join(f.home, "sessions"), filepath.Join(f.home, "trash")))
	for i := range many {
		f.write(fmt.Sprintf("01JE%022d", i), cwd, time.Unix(int64(i), 0))
	}
	const row = `{"type":"user","uuid":"u%d","parentUuid":null,"sessionId":"00000000-0000-4000-8000-000000000001","timestamp":"2026-01-02T10:00:00.000Z",` +
		`"cwd":"/srv/harbour","version":"2.1.0","isSidechain":%t,"agentId":"a%[1]d","message":{"role":"user","content":"look after number %[1]d: %[3]s"}}` + "\n"
	const project = ".claude/projects/-srv-harbour/00000000-0000-4000-8000-000000000001"
	sourcetest.Write(t, home, project+".jsonl", fmt.Sprintf(row, 0, false, ""))
	for i := 1; i <= many; i++ {
		text := strings.Replace(fmt.Sprintf(row, i, true, strings.Repeat("all of it, ", 9)), "/srv/harbour", cwd, 1)
		sourcetest.Write(t, home, fmt.Sprintf("%s/subagents/agent-a%d.jsonl", project, i), text)
	}
	for i := range 300 {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", 1000+i)
		text := strings.ReplaceAll(fmt.Sprintf(row, i, false, strings.Repeat("needle ", 40)), "00000000-0000-4000-8000-000000000001", id)
		sourcetest.Write(t, home, fmt.Sprintf(".claude/projects/-srv-%d/%s.jsonl", i, id), strings.ReplaceAll(text, "/srv/harbour", fmt.Sprintf("/srv/%d%s", i, cwd)))
	}
	log := longLog()
	l.long, l.often, l.ahead = logged(t, f.backend, log), logged(t, f.backend, oftenCompacted()), logged(t, f.backend, log[:messages])
	must(t, f.backend.Scan(t.Context(), false, nil))
	return l
}

// messages are those of a long log, of which the first are so long that a page has no room for them.
const messages, longOnes = 4000, 600

// longLog has many messages, one of which is of 3 MB, with a compaction and branches. The last one makes what was said since of such a length
// that the context is not resolved for its size.
func longLog() []string {
	lines := []string{}
	for i := range messages {
		often := 60
		if i >= longOnes {
			often = 12 // longer than what lists show of each
		}
		lines = append(lines, lineOf(len(lines)+1, quoted("needle "+strings.Repeat("in the hay of which there is much ", often))))
	}
	lines = append(lines, lineOf(len(lines)+1, quoted(strings.Repeat("needle and thread\n", 3<<20/18))))
	const compaction = `{"recordType":"compaction","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T03:04:05Z","summary":%s,"firstKeptSeq":%d}`
	lines = append(lines, fmt.Sprintf(compaction, len(lines)+1, quoted(strings.Repeat("What was said. ", 2000)), len(lines)-50))
	for i := range 500 {
		const branch = `{"recordType":"branch","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T03:04:05Z","fromSeq":%d}`
		lines = append(lines, fmt.Sprintf(branch, len(lines)+1, messages+2+i), lineOf(len(lines)+2, quoted("another way")))
	}
	return append(lines, lineOf(len(lines)+1, quoted(strings.Repeat("much hay ", states.ExactBytes/9))))
}

// oftenCompacted has a thousand compactions, the last of which loses more facts than are told.
func oftenCompacted() []string {
	lines := []string{}
	const compaction = `{"recordType":"compaction","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T03:04:05Z","summary":"Short.","firstKeptSeq":%d,"model":"a-model"}`
	for i := range 1000 {
		said := "one more"
		if i == 998 {
			said = strings.Join(facts(), " ")
		}
		lines = append(lines, lineOf(len(lines)+1, quoted(said)), fmt.Sprintf(compaction, len(lines)+2, len(lines)+1))
	}
	return lines
}

// facts are addresses, each as long as one is told.
func facts() (all []string) {
	for i := range 300 {
		all = append(all, fmt.Sprintf("https://example.org/%03d/%s", i, strings.Repeat("x", 170)))
	}
	return all
}

// asked is what a page asks of each route.
func (l *large) asked() map[string][]string {
	return map[string][]string{
		"GET /api/sessions":               {"?archived=1&quick=1&brief=1&parts=1", "?archived=1&quick=0&brief=1&parts=1", "?parts=1"},
		"GET /api/sessions/{id}":          {""},
		"GET /api/sessions/{id}/children": {"?quick=1&parts=1", "?quick=0&parts=1"},
		"GET /api/agents":                 {""}, "GET /api/retention": {"?limit=100", "?limit=200&open=1"}, "GET /api/kept": {"?parts=1"},
		"GET /api/trash": {"?brief=1&parts=1"}, "GET /api/sessions/{id}/opening": {"?limit=500&viewer=v"},
		"GET /api/sessions/{id}/records":       {"?index=0&limit=500&view=all", "?index=3990&limit=500&view=model", "?from=1&limit=500"},
		"GET /api/sessions/{id}/records/{seq}": {"?offset=0&limit=1000000"},
		"GET /api/sessions/{id}/outline":       {"", "?at=1"}, "GET /api/sessions/{id}/prompts": {"", "?first=0&limit=500"},
		"GET /api/sessions/{id}/find":    {"?q=needle&from=0&limit=1000", "?q=o&from=0&limit=1000", "?q=.%2B&regex=1&from=0&limit=1000"},
		"GET /api/sessions/{id}/context": {"?at=0&messages=0", "?at=1&messages=0"}, "GET /api/sessions/{id}/sizes": {""},
		"GET /api/sessions/{id}/compactions/{seq}":          {""},
		"GET /api/sessions/{id}/compactions/{seq}/fidelity": {""},
		"GET /api/sessions/{id}/turns":                      {""}, "GET /api/sessions/{id}/permissions": {""},
		"GET /api/models": {""}, "GET /api/models/local": {""}, "GET /api/asking": {""}, "GET /api/desk": {""},
		"GET /api/index":      {""},
		"GET /api/statistics": {"", "?agentDays=1", "?over=agent", "?over=project", "?over=model", "?over=tool", "?projects=1000"},
		"GET /api/ledger":     {"?limit=500", "?min=2&limit=1000"},
		"GET /api/search":     {"?q=needle&limit=200&count=1", "?q=is:foreign&limit=200", "?q=needle&session=" + l.long, "?q=o&limit=200", "?q=needle&limit=5000&session=" + l.long},
		"GET /api/searches":   {""}, "GET /api/config": {""},
	}
}

// paths are those that a pattern stands for: of a session each that is long.
func (l *large) paths(pattern string) []string {
	path := strings.TrimPrefix(pattern, "GET ")
	if !strings.Contains(path, "{id}") {
		return []string{path}
	}
	if strings.Contains(path, "/compactions/") {
		often := "/api/sessions/" + l.often + strings.Replace(path[len("/api/sessions/{id}"):], "{seq}", "2000", 1)
		if strings.HasSuffix(path, "/fidelity") {
			return []string{often} // the long one has no facts
		}
		return []string{
			"/api/sessions/" + l.long + strings.Replace(path[len("/api/sessions/{id}"):], "{seq}", strconv.Itoa(messages+2), 1),
			often,
		}
	}
	var out []string
	for _, id := range []string{l.long, l.often, l.parent} {
		if id != l.parent || !strings.HasSuffix(path, "/permissions") { // others have none
			out = append(out, strings.NewReplacer("{id}", url.PathEscape(id), "{seq}", "1").Replace(path))
		}
	}
	return out
}

// TestAnswersAreBounded: of no library is a page handed more than 1 MiB at once.
func TestAnswersAreBounded(t *testing.T) {
	l := openLarge(t)
	asked := l.asked()
	for _, route := range l.server.routes() {
		if !strings.HasPrefix(route.pattern, "GET ") || unbounded[route.pattern] != "" {
			continue
		}
		queries := asked[route.pattern]
		if len(queries) == 0 {
			t.Errorf("%s: nobody says what a page asks of it", route.pattern)
		}
		for _, path := range l.paths(route.pattern) {
			for _, query := range queries {
				l.bounded(path, query)
			}
		}
	}
	if a := l.ask("GET", "/api/sessions/"+l.often+"/compactions/2000/fidelity", ""); strings.Count(string(a.body), "https://example.org/") < 200 {
		t.Errorf("of a compaction that loses much is told %.300s", a.body)
	}
	l.bounded("/api/sessions/"+l.ahead+"/compactions/plan", "")
	l.bounded(fmt.Sprintf("/api/sessions/%s/records/%d", l.long, messages+1), "?offset=0&limit=1000000")
}

// bounded asks for all parts of an answer.
func (l *large) bounded(path, query string) {
	l.t.Helper()
	rows := 0
	for next := query; ; {
		a := l.ask("GET", path+next, "", "Accept-Encoding", "identity")
		if a.status != http.StatusOK {
			l.t.Errorf("%s%s: %d %.300s", path, next, a.status, a.body)
			return
		}
		if len(a.body) > answerMost {
			l.t.Errorf("%s%s: %d bytes", path, next, len(a.body))
		}
		rows += strings.Count(string(a.body), "\n")
		var cursor struct {
			Cursor *string `json:"cursor"`
		}
		switch {
		case a.header.Get("X-Next") != "":
			next = "?cursor=" + a.header.Get("X-Next")
		case strings.HasSuffix(path, "/ledger") && json.Unmarshal(a.body, &cursor) == nil && cursor.Cursor != nil:
			next = query + "&cursor=" + *cursor.Cursor
		default:
			if lists := path == "/api/sessions" || path == "/api/trash" || strings.Contains(path, "claudecode:") && strings.HasSuffix(path, "/children"); lists && rows < many {
				l.t.Errorf("%s%s: %d rows, of which nobody learns anything", path, query, rows)
			}
			return
		}
	}
}
