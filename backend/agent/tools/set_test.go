//go:build unix

package tools_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/backend/agent/permission"
	"palimpsest/backend/agent/tools"
	"palimpsest/backend/llm"
)

func TestList(t *testing.T) {
	r := newRig(t)
	var names []string
	for _, tool := range r.List() {
		names = append(names, tool.Name)
		var schema struct {
			Type       string
			Properties map[string]struct{ Type, Description string }
			Required   []string
		}
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil || schema.Type != "object" || len(schema.Properties) == 0 {
			t.Errorf("%s: %s, %v", tool.Name, tool.Parameters, err)
		}
		for _, name := range schema.Required {
			if schema.Properties[name].Description == "" {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
		}
		if tool.Description == "" {
			t.Errorf("%s is not described", tool.Name)
		}
	}
	if want := []string{"read", "ls", "grep", "find", "write", "edit", "bash"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	for name, want := range map[string]bool{"read": true, "read_file": true, "Grep": true, "write": false, "bash": false, "none": false} {
		if r.ReadOnly(name) != want {
			t.Errorf("%s read-only: %v", name, !want)
		}
	}
}

func TestFacts(t *testing.T) {
	r := newRig(t)
	r.put("a/b.txt", "x")
	r.link("a", "link")
	r.link("/etc", "out")
	dir := filepath.ToSlash(r.dir)
	for _, c := range []struct {
		call        llm.Call
		tool        string
		real, given string
		command     string
	}{
		{callOf("read", given{"path": "a/b.txt"}), "read", dir + "/a/b.txt", dir + "/a/b.txt", ""},
		{callOf("read_file", given{"file_path": "link/b.txt"}), "read", dir + "/a/b.txt", dir + "/link/b.txt", ""},
		{callOf("write_file", given{"filePath": "link/new/x", "content": ""}), "write", dir + "/a/new/x", dir + "/link/new/x", ""},
		{callOf("list_directory", given{}), "ls", dir, dir, ""},
		{callOf("Edit", given{"path": "a/../../x"}), "edit", filepath.ToSlash(filepath.Dir(r.dir)) + "/x", filepath.ToSlash(filepath.Dir(r.dir)) + "/x", ""},
		{callOf("read", given{"path": "out/passwd"}), "read", "/etc/passwd", dir + "/out/passwd", ""},
		{callOf("bash", given{"cmd": "ls -l"}), "bash", "", "", "ls -l"},
	} {
		facts, err := r.Facts(c.call)
		if err != nil {
			t.Errorf("%v: %v", c.call, err)
			continue
		}
		if facts.Tool != c.tool || facts.Command != c.command || facts.Dir != dir {
			t.Errorf("%v: %+v", c.call, facts)
		}
		if c.real != "" && (len(facts.Paths) != 1 || facts.Paths[0] != permission.Path{Real: c.real, Given: c.given}) {
			t.Errorf("%v: %+v, want %s as %s", c.call, facts.Paths, c.real, c.given)
		}
	}
	for _, call := range []llm.Call{
		callOf("none", given{}), callOf("read", given{}), callOf("bash", given{"command": ""}), callOf("read", given{"path": "a\x00b"}),
		{Name: "read", Arguments: "["},
		{Name: "read", Arguments: `{"_raw":"x"}`},
		{Name: "read", Arguments: `{"path":1}`},
		{Name: "read", Arguments: `{"path":"x","limit":-1}`},
	} {
		if facts, err := r.Facts(call); err == nil {
			t.Errorf("%v: %+v", call, facts)
		}
		if got := r.Run(context.Background(), call, tools.Options{}); !got.IsError {
			t.Errorf("%v runs: %s", call, got.Text)
		}
	}
}

func TestDecidedByDefault(t *testing.T) {
	r := newRig(t)
	r.link("/etc", "out")
	for name, want := range map[string]permission.Effect{"a": permission.Allow, "out/passwd": permission.Ask, "../x": permission.Ask, "/etc/passwd": permission.Ask, "~/x": permission.Ask} {
		facts, err := r.Facts(callOf("read", given{"path": name}))
		if err != nil {
			t.Fatal(err)
		}
		if d := permission.Decide(permission.Defaults(), facts); d.Effect != want {
			t.Errorf("%s: %v, want %v", name, d.Effect, want)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, text := range []string{"", "{}", `{"path":"x","limit":"10"}`, `{"path":"x","offset":1e9}`, `{"file_path":"x"}`, `{"edits":[{"old_string":"a"}]}`, `[]`, `{"path":null}`} {
		f.Add("read", text)
		f.Add("edit", text)
	}
	r := newRig(f)
	f.Fuzz(func(t *testing.T, name, text string) {
		call := llm.Call{Name: name, Arguments: text}
		facts, err := r.Facts(call)
		if err == nil && facts.Command == "" && len(facts.Paths) != 1 {
			t.Errorf("%v: %+v", call, facts)
		}
		if err == nil && r.ReadOnly(name) {
			if got := r.Run(context.Background(), call, tools.Options{}); len(got.Changes) > 0 {
				t.Errorf("%v changes files", call)
			}
		}
	})
}
