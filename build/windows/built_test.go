//go:build windows_build

// Package windows checks what was built for Windows, from any system.
//
// PALIMPSEST_WINDOWS is the folder with both programs and the installer.
package windows

import (
	"bytes"
	"debug/pe"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const (
	console   = "palimpsest.exe"
	window    = "palimpsest-window.exe"
	installer = "palimpsest-amd64-installer.exe"
)

// TestSubsystems: a shell waits for a program of the console and shows what it says; one of the desktop opens no
// terminal of its own.
func TestSubsystems(t *testing.T) {
	for name, want := range map[string]uint16{
		console:   pe.IMAGE_SUBSYSTEM_WINDOWS_CUI,
		window:    pe.IMAGE_SUBSYSTEM_WINDOWS_GUI,
		installer: pe.IMAGE_SUBSYSTEM_WINDOWS_GUI,
	} {
		file, err := pe.Open(built(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer file.Close()
		var got uint16
		switch header := file.OptionalHeader.(type) {
		case *pe.OptionalHeader64:
			got = header.Subsystem
		case *pe.OptionalHeader32:
			got = header.Subsystem
		}
		if got != want {
			t.Errorf("%s is of subsystem %d, want %d", name, got, want)
		}
	}
}

// TestInstaller unpacks both programs from the installer.
func TestInstaller(t *testing.T) {
	for _, name := range []string{console, window} {
		want, err := os.ReadFile(built(t, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := exec.Command("7z", "e", "-so", built(t, installer), name).Output()
		if err != nil {
			t.Fatalf("unpacking %s: %v", name, err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("the installer has another %s: %d bytes, want %d", name, len(got), len(want))
		}
	}
}

func built(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("PALIMPSEST_WINDOWS")
	if dir == "" {
		t.Fatal("PALIMPSEST_WINDOWS is not set: run `make build-windows`")
	}
	return filepath.Join(dir, name)
}
