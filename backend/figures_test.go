package backend

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

const (
	// envApart is in the environment of a process that runs one benchmark.
	envApart = "PALIMPSEST_BENCH_APART"
	// envFigures is the file of the table that `make bench` ends with.
	envFigures = "PALIMPSEST_FIGURES"
)

// byItself has a benchmark run in a process of its own, which is these tests once more: there it returns, and what comes behind it runs. What
// else was measured before would have left its memory, its caches and its rules for the collector behind.
func byItself(b *testing.B) {
	b.Helper()
	if os.Getenv(envApart) != "" {
		return
	}
	args := []string{"-test.run=^$", "-test.bench=" + onlyThis(b.Name(), flag.Lookup("test.bench").Value.String()), "-test.timeout=0"}
	for _, name := range []string{"test.benchtime", "test.benchmem", "test.v"} {
		args = append(args, "-"+name+"="+flag.Lookup(name).Value.String())
	}
	cmd := exec.CommandContext(b.Context(), os.Args[0], args...) //nolint:gosec // these tests themselves
	cmd.Env, cmd.Stderr = append(os.Environ(), envApart+"=1"), os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if line := lines.Text(); !isFrame(line) {
			fmt.Println(line)
		}
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	b.SkipNow() // it was measured there
}

// onlyThis is the pattern that only a benchmark of this name matches, and those in it that are wanted.
func onlyThis(name, wanted string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	if below := strings.Split(wanted, "/"); len(below) > len(parts) {
		parts = append(parts, below[len(parts):]...)
	}
	return strings.Join(parts, "/")
}

// isFrame tells of a line that stands around the figures of a process, and has been said by the first.
func isFrame(line string) bool {
	if line == "PASS" {
		return true
	}
	name, _, _ := strings.Cut(line, ":")
	return name == "goos" || name == "goarch" || name == "pkg" || name == "cpu"
}

// figure puts what was measured into the table, beside what it is not to be over.
func figure(b *testing.B, what string, measured float64, unit string, most float64) {
	b.Helper()
	name := os.Getenv(envFigures)
	if name == "" {
		return
	}
	over := ""
	if measured > most {
		over = "over"
	}
	table, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	_, err = fmt.Fprintf(table, "| %s | %.4g %s | %.4g %s | %s |\n", what, measured, unit, most, unit, over)
	if err != nil {
		b.Error(err)
	}
	if err := table.Close(); err != nil {
		b.Error(err)
	}
}

// milliseconds is how long one run of a benchmark took.
func milliseconds(b *testing.B) float64 {
	return float64(b.Elapsed().Microseconds()) / 1000 / float64(b.N)
}
