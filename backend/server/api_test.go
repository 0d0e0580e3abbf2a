package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

func TestSessions(t *testing.T) {
	f := start(t)
	if a := f.ask("GET", "/api/sessions", ""); string(a.body) != "[]\n" {
		t.Errorf("an empty home: %s", a.body)
	}
	made := ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions",
		fmt.Sprintf(`{"name":"<fix> & deploy","model":"m","cwd":%q,"key":"k","source":"cron","cronJobId":"7"}`, f.home))
	want := backend.Session{
		ID: made.ID, Name: new("<fix> & deploy"), CreatedAt: made.CreatedAt, LastMessageAt: made.CreatedAt, Model: "m",
		MessageCount: new(0), Compactions: new(0), Source: "cron", CronJobID: "7", Cwd: new(f.home), Key: new("k"),
		CreatedBy: new("test"), Metrics: &session.Metrics{},
		Path: filepath.Join(f.dir(made.ID), "session.jsonl"), Agent: new("palimpsest"), Title: new("<fix> & deploy"),
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, ok[backend.Session](f, http.StatusOK, "GET", "/api/sessions/"+made.ID, "")); diff != "" {
		t.Error(diff)
	}
	if a := f.ask("GET", "/api/sessions/"+made.ID, ""); !strings.Contains(string(a.body), `"<fix> & deploy"`) {
		t.Errorf("escaped: %s", a.body)
	}
	for _, cwd := range []string{"work", f.home + "/gone"} {
		if a := f.ask("POST", "/api/sessions", fmt.Sprintf(`{"cwd":%q,"cwdMustExist":true}`, cwd)); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", cwd, a.status, a.body)
		}
	}
	unnamed := f.session()
	inParts := f.ask("GET", "/api/sessions?parts=1", "")
	if n := strings.Count(string(inParts.body), "}\n{"); n != 1 || inParts.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("in parts: %s", inParts.body)
	}
	list := func(query string) (ids []string) {
		t.Helper()
		for _, s := range ok[[]backend.Session](f, http.StatusOK, "GET", "/api/sessions"+query, "") {
			ids = append(ids, s.ID)
		}
		return ids
	}
	change := func(body string) backend.Session {
		t.Helper()
		return ok[backend.Session](f, http.StatusOK, "PATCH", "/api/sessions/"+made.ID, body)
	}
	if s := change(`{"name":"other","archived":true}`); *s.Name != "other" || s.ArchivedAt == nil {
		t.Errorf("%+v", s)
	}
	if s := change(`{"name":""}`); s.Name != nil || s.ArchivedAt == nil {
		t.Errorf("%+v", s)
	}
	for query, want := range map[string][]string{
		"":                              {unnamed},
		"?archived=1&quick=1":           {unnamed, made.ID},
		"?archived=true&limit=1":        {unnamed},
		"?archived=1&limit=0":           {unnamed, made.ID},
		"?archived=1&query=" + made.ID:  {made.ID},
		"?archived=1&query=nothing":     nil,
		"?archived=0&query=" + made.ID:  nil,
		"?archived=&unknown=1&query=%3": nil, // malformed, see below
	} {
		if strings.HasSuffix(query, "%3") {
			f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/sessions"+query, "")
		} else if diff := cmp.Diff(want, list(query)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if s := change(`{"archived":false}`); s.ArchivedAt != nil {
		t.Errorf("%+v", s)
	}
}

func TestTrash(t *testing.T) {
	f := start(t)
	ids := []string{f.session(), f.session(), f.session()}
	for _, id := range ids {
		if a := f.ask("DELETE", "/api/sessions/"+id, ""); a.status != http.StatusOK || string(a.body) != `{"id":"`+id+"\"}\n" {
			t.Errorf("%d %s", a.status, a.body)
		}
		f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", "/api/sessions/"+id, "")
	}
	if list := ok[[]backend.Session](f, http.StatusOK, "GET", "/api/trash", ""); len(list) != 3 {
		t.Errorf("%+v", list)
	}
	ok[backend.Session](f, http.StatusOK, "POST", "/api/trash/"+ids[0]+"/restore", "")
	ok[backend.Session](f, http.StatusOK, "GET", "/api/sessions/"+ids[0], "")
	back := ok[backend.RestoredMany](f, http.StatusOK, "POST", "/api/restores", `{"ids":["`+ids[0]+`","`+ids[1]+`"]}`)
	if !slices.Equal(back.IDs, ids[1:2]) || back.FailedCount != 1 || back.Failed[0].ID != ids[0] {
		t.Errorf("%+v", back)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/restores", "x")
	ok[gone](f, http.StatusOK, "DELETE", "/api/sessions/"+ids[1], "")
	if g := ok[gone](f, http.StatusOK, "DELETE", "/api/trash/"+ids[1], ""); g.ID != ids[1] {
		t.Errorf("%+v", g)
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", "/api/trash/"+ids[1]+"/restore", "")
	if a := f.ask("DELETE", "/api/trash", ""); string(a.body) != `[{"id":"`+ids[2]+"\"}]\n" {
		t.Errorf("%s", a.body)
	}
	if a := f.ask("DELETE", "/api/trash", ""); string(a.body) != "[]\n" {
		t.Errorf("%s", a.body)
	}
	ok[backend.Session](f, http.StatusOK, "GET", "/api/sessions/"+ids[0], "")
}

func TestRecords(t *testing.T) {
	f := start(t)
	id := f.sample()
	at := "/api/sessions/" + id
	log, err := os.ReadFile(filepath.Join(f.dir(id), "session.jsonl"))
	must(t, err)
	lines := strings.Split(strings.TrimSuffix(string(log), "\n"), "\n")

	page := ok[backend.Page](f, http.StatusOK, "GET", at+"/records?index=1&limit=2", "")
	if page.First != 1 || page.Count != 2 || page.Total != len(lines) || page.SessionID != id {
		t.Errorf("%+v", page)
	}
	for i, record := range page.Records {
		if string(record) != lines[i+1] {
			t.Errorf("record %d: %s\nwant %s", i, record, lines[i+1])
		}
	}
	from := ok[backend.Page](f, http.StatusOK, "GET", fmt.Sprintf("%s/records?from=%d&limit=1&view=all", at, *page.Next), "")
	if string(from.Records[0]) != lines[3] {
		t.Errorf("%s", from.Records[0])
	}
	seen := ok[backend.Page](f, http.StatusOK, "GET", at+"/records?view=model&limit=500", "")
	outline := ok[backend.Outline](f, http.StatusOK, "GET", at+"/outline", "")
	if seen.Total != outline.ModelTotal || outline.Total != len(lines) || len(outline.Compactions) == 0 {
		t.Errorf("%+v", outline)
	}

	prompts := ok[backend.Prompts](f, http.StatusOK, "GET", at+"/prompts", "")
	if prompts.First != 0 || prompts.Total == 0 || len(prompts.Prompts) != prompts.Total || prompts.Prompts[0].Text == "" {
		t.Errorf("%+v", prompts)
	}
	last := ok[backend.Prompts](f, http.StatusOK, "GET", fmt.Sprintf("%s/prompts?before=%d&limit=1", at, len(lines)), "")
	if len(last.Prompts) != 1 || last.First != prompts.Total-1 {
		t.Errorf("%+v", last)
	}

	for query, want := range map[string]string{
		"":                     lines[0],
		"?offset=0":            lines[0],
		"?offset=3&limit=5":    lines[0][3:8],
		"?limit=5":             lines[0][:5],
		"?offset=7":            lines[0][7:],
		"?offset=999999999999": "",
		"?limit=999999999999":  lines[0],
	} {
		a := f.ask("GET", at+"/records/1"+query, "")
		contentType := "application/octet-stream"
		if want == lines[0] {
			contentType = "application/json"
		}
		if a.status != http.StatusOK || string(a.body) != want || a.header.Get("Content-Type") != contentType ||
			a.header.Get("X-Record-Bytes") != strconv.Itoa(len(lines[0])) || a.header.Get("Content-Length") != strconv.Itoa(len(want)) {
			t.Errorf("%s: %d %v %q", query, a.status, a.header, a.body)
		}
	}
}

func TestAppendForkRevert(t *testing.T) {
	f := start(t)
	id := f.session()
	at := "/api/sessions/" + id
	if a := f.ask("POST", at+"/records", message("<one>")+"\n\n"+message("two")); a.status != http.StatusCreated || string(a.body) != "{\"committed\":[1,2]}\n" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := f.ask("POST", at+"/records", ""); string(a.body) != "{\"committed\":[]}\n" {
		t.Errorf("%d %s", a.status, a.body)
	}
	p := f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/records", message("x")+"\n{\"recordType\":\"message\"}")
	if !strings.Contains(p.Detail, "line 2") || p.Committed != nil {
		t.Errorf("%+v", p)
	}
	fork := ok[backend.Session](f, http.StatusCreated, "POST", at+"/forks", `{"at":1}`)
	if fork.ParentSessionID != id || fork.ForkedAtSeq != 1 || *fork.MessageCount != 1 {
		t.Errorf("%+v", fork)
	}
	if whole := ok[backend.Session](f, http.StatusCreated, "POST", at+"/forks", ""); *whole.MessageCount != 2 {
		t.Errorf("%+v", whole)
	}

	sample := f.sample()
	at = "/api/sessions/" + sample
	seq := f.inForce(sample)
	done := ok[struct{ CommittedSeq int64 }](f, http.StatusCreated, "POST", at+"/reverts", fmt.Sprintf(`{"targetSeq":%d}`, seq))
	if now := f.inForce(sample); now == seq {
		t.Errorf("%d is still in force", now)
	}
	ok[any](f, http.StatusCreated, "POST", at+"/reverts", fmt.Sprintf(`{"targetSeq":%d}`, done.CommittedSeq))
	if now := f.inForce(sample); now <= done.CommittedSeq {
		t.Errorf("in force is %d", now)
	}
}

func TestContextAndConfig(t *testing.T) {
	f := start(t)
	id := f.sample()
	whole := ok[backend.Context](f, http.StatusOK, "GET", "/api/sessions/"+id+"/context", "")
	numbers := ok[backend.Context](f, http.StatusOK, "GET", "/api/sessions/"+id+"/context?messages=0", "")
	if len(whole.Messages) == 0 || numbers.Messages == nil || len(numbers.Messages) != 0 || !cmp.Equal(whole.Tokens, numbers.Tokens) {
		t.Errorf("%+v", numbers)
	}
	past := ok[backend.Page](f, http.StatusOK, "GET", "/api/sessions/"+id+"/records?at=1", "")
	if past.Entries[0].State != backend.StateKept || past.Entries[1].State != backend.StateLater {
		t.Errorf("%+v", past.Entries)
	}
	if seen := ok[backend.Outline](f, http.StatusOK, "GET", "/api/sessions/"+id+"/outline?at=1", ""); seen.ModelTotal != 1 {
		t.Errorf("%+v", seen)
	}
	if then := ok[backend.Context](f, http.StatusOK, "GET", "/api/sessions/"+id+"/context?at=1", ""); len(then.Messages) != 1 || *then.At != 1 {
		t.Errorf("%+v", then)
	}
	sizes := ok[backend.Sizes](f, http.StatusOK, "GET", "/api/sessions/"+id+"/sizes?points=3", "")
	if last := len(sizes.Points) - 1; last < 2 || sizes.Points[last].Tokens != numbers.Tokens.Calibrated || sizes.Window != numbers.Tokens.Window {
		t.Errorf("%+v", sizes)
	}

	must(t, os.WriteFile(filepath.Join(f.home, "config.yaml"), []byte("theme: drak\nmodel: m\nbase_url: https://x\n"), 0o600))
	_, cancel := f.backend.Subscribe()
	defer cancel()
	var got map[string]any
	a := f.ask("GET", "/api/config", "")
	must(t, json.Unmarshal(a.body, &got))
	problems, _ := got["problems"].([]any)
	if len(problems) != 1 {
		t.Errorf("%s", a.body)
	}
	delete(got, "problems")
	want := map[string]any{
		"theme": "system", "model": "m", "baseUrl": "https://x", "durability": "turn", "notifications": true,
		"readOnly": false, "path": filepath.Join(f.home, "config.yaml"), "home": f.home, "version": backend.Version,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBlobs(t *testing.T) {
	f := start(t)
	id := f.session()
	must(t, os.Mkdir(filepath.Join(f.dir(id), "blobs"), 0o700))
	for i, c := range []struct{ content, contentType string }{
		{"\x89PNG\r\n\x1a\n....", "image/png"},
		{"\xff\xd8\xff....", "image/jpeg"},
		{"GIF89a....", "image/gif"},
		{"RIFF....WEBPVP8 ", "image/webp"},
		{"plain text, ünïcode\n" + strings.Repeat("long ", 1000), "text/plain; charset=utf-8"},
		{"", "text/plain; charset=utf-8"},
		{"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>", ""},
		{"\uFEFF\n <svg onload=alert(1)>", ""},
		{"<?xml version=\"1.0\"?><svg/>", ""},
		{"<!doctype html><script>alert(1)</script>", ""},
		{"%PDF-1.4", ""},
		{"BM....", ""},
		{"\x00\x01\x02", ""},
	} {
		sha := fmt.Sprintf("%064x", i)
		must(t, os.WriteFile(filepath.Join(f.dir(id), "blobs", sha), []byte(c.content), 0o600))
		a := f.ask("GET", "/api/sessions/"+id+"/blobs/"+sha, "")
		disposition := ""
		if c.contentType == "" {
			c.contentType, disposition = "application/octet-stream", "attachment"
		}
		if a.status != http.StatusOK || string(a.body) != c.content || a.header.Get("Content-Type") != c.contentType ||
			a.header.Get("Content-Disposition") != disposition || a.header.Get("Content-Length") != strconv.Itoa(len(c.content)) {
			t.Errorf("%q: %d %v", c.content[:min(20, len(c.content))], a.status, a.header)
		}
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", "/api/sessions/"+id+"/blobs/"+strings.Repeat("f", 64), "")
	for _, sha := range []string{"x", strings.Repeat("F", 64), strings.Repeat("0", 65), "..%2f..%2fsession.jsonl", "%2e%2e", "metadata.json"} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/sessions/"+id+"/blobs/"+sha, "")
	}
}
