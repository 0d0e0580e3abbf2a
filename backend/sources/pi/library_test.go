package pi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// libraryAt is where `make pi` puts pi's own library, beside the script that asks it.
const libraryAt = "../../../build/pi"

// TestSamplesAsPi: of every sample, and of each moment of it, pi's own library sends what we read.
func TestSamplesAsPi(t *testing.T) {
	written := map[string]string{}
	for _, home := range sourcetest.Samples(t, "pi-") {
		for _, found := range sourcetest.Find(t, Source{}, sourcetest.Env(t, home)) {
			text, err := os.ReadFile(found.Files[0])
			if err != nil {
				t.Fatal(err)
			}
			written[home+" "+found.ID] = string(text)
		}
	}
	asPi(t, written)
}

// TestAsPi: so it does of sessions that are written here, and of some that nobody would write.
func TestAsPi(t *testing.T) {
	const sessions = 30
	written := map[string]string{}
	for _, c := range contexts {
		written[c.name] = c.text
	}
	for seed := range uint64(sessions) {
		written[fmt.Sprintf("drawn %d", seed)] = drawSession(seed)
	}
	asPi(t, written)
}

// moment is a session as its file was at some time.
type moment struct{ name, text string }

// asPi holds what we read of each session, whole and up to each line, against what pi builds of it.
func asPi(t *testing.T, written map[string]string) {
	t.Helper()
	var moments []moment
	for _, name := range slices.Sorted(maps.Keys(written)) {
		text := written[name]
		at := strings.Index(text, "\n") + 1 // behind the header
		for line := range strings.Lines(text[at:]) {
			at += len(line)
			moments = append(moments, moment{name, text[:at]})
		}
	}
	env := sourcetest.Env(t, t.TempDir())
	refused := 0
	var before moment
	var logBefore []byte
	for i, sent := range library(t, moments) {
		m := moments[i]
		path := sourcetest.Write(t, env.Home, place, m.text)
		log := sourcetest.Read(t, Source{}, env, sources.Found{Agent: agent, ID: gjson.Get(m.text, "id").Str, Files: []string{path}}).Log
		if sent.Get("refused").Exists() {
			refused++
		} else if got, want := seen(t, log), seen(t, sentLog(sent)); !slices.Equal(got, want) {
			t.Fatalf("%s:\n%s\n got %s\nwant %s\n%s", m.name, m.text, strings.Join(got, "\n     "), strings.Join(want, "\n     "), log)
		}
		if before.name == m.name && !standsIn(logBefore, log) {
			t.Fatalf("%s: what was read before its last line is no moment of it:\n%s\n%s", m.name, m.text, log)
		}
		before, logBefore = m, log
	}
	if len(moments) == 0 || refused*4 > len(moments) {
		t.Errorf("pi refuses %d of %d", refused, len(moments))
	}
}

// standsIn tells whether a log is the beginning of a later one, but for what was said of all of the file at its end.
func standsIn(before, log []byte) bool {
	if said := bytes.Index(before, []byte("/order")); said >= 0 {
		before = before[:bytes.LastIndexByte(before[:said], '\n')+1]
	}
	return bytes.HasPrefix(log, before)
}

// library asks pi's own library what it sends of each of these, all at once.
func library(t *testing.T, moments []moment) []gjson.Result {
	t.Helper()
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(filepath.Join(libraryAt, "node_modules", ".package-lock.json")); err != nil || missing != nil {
		t.Skip("pi's own library is not here to be asked: make pi installs it")
	}
	script := filepath.Join(libraryAt, "context.mjs")
	if _, err := os.Stat(script); err != nil { // which has Go forget what it remembers of this test when the script is another
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i, m := range moments {
		sourcetest.Write(t, dir, fmt.Sprintf("%06d.jsonl", i), m.text)
	}
	ask := exec.CommandContext(t.Context(), node, script, dir)
	ask.Env, ask.Stderr = append(os.Environ(), "HOME="+dir), os.Stderr
	out, err := ask.Output()
	answers := make([]gjson.Result, 0, len(moments))
	for line := range bytes.Lines(out) {
		answers = append(answers, gjson.ParseBytes(line))
	}
	if err != nil || len(answers) != len(moments) {
		t.Fatalf("%d answers to %d questions: %v", len(answers), len(moments), err)
	}
	return answers
}

// seen is what the model sees at the end of a log: itself, and the messages with all that is in them.
func seen(t *testing.T, log []byte) []string {
	t.Helper()
	c, err := overlay.Resolve(session.NewReverse(bytes.NewReader(log), int64(len(log))), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{fmt.Sprintf("%s of %s, %s", c.Model.Model, c.Model.Provider, c.Model.ReasoningEffort)}
	for _, m := range c.Messages {
		line := fmt.Sprintf("%s %q %t", m.Role, m.ToolCallID, m.IsError)
		for _, b := range m.Content {
			line += fmt.Sprintf(" [%d %q %q %q %s %s]", b.Kind, b.Text, b.ID, b.Name, b.Arguments, b.Blob)
		}
		lines = append(lines, line)
	}
	return lines
}

// sentLog is what pi sends, as a log of ours: what is left out of either, so that a model takes it, is then the same.
func sentLog(sent gjson.Result) []byte {
	var out bytes.Buffer
	log := sources.NewLog(agent, "sent", &out, func(data []byte) (string, error) { return fmt.Sprintf("%x", sha256.Sum256(data)), nil })
	for _, m := range sent.Get("messages").Array() {
		role := record.Role(m.Get("role").Str)
		if role == "system" {
			role = record.RoleUser // our contexts have no such role
		}
		log.Message(sources.Message{
			Role: role, Content: sentBlocks(log, m.Get("content")), ToolCallID: m.Get("toolCallId").Str, IsError: m.Get("isError").Bool(),
			Provider: m.Get("provider").Str, Model: m.Get("model").Str,
		})
	}
	log.Model(sources.Model{Model: record.Model{
		Provider: sent.Get("model.provider").Str, Model: sent.Get("model.modelId").Str,
		ReasoningEffort: strings.TrimPrefix(sent.Get("thinkingLevel").Str, "off"), // which it also is where nothing was said of it
	}})
	return out.Bytes()
}

func sentBlocks(log *sources.Log, content gjson.Result) (blocks []sources.Block) {
	if content.Type == gjson.String {
		return []sources.Block{log.Text(content.Str)}
	}
	for _, b := range content.Array() {
		switch b.Get("type").Str {
		case "text":
			blocks = append(blocks, log.Text(b.Get("text").Str))
		case "thinking":
			blocks = append(blocks, sources.Block{Type: "thinking", Text: b.Get("thinking").Str})
		case "toolCall":
			blocks = append(blocks, sources.Block{Type: "toolCall", ID: b.Get("id").Str, Name: b.Get("name").Str, Arguments: json.RawMessage(b.Get("arguments").Raw)})
		case "image":
			data, _ := base64.StdEncoding.DecodeString(b.Get("data").Str)
			blocks = append(blocks, log.Image(b.Get("mimeType").Str, data))
		}
	}
	return blocks
}
