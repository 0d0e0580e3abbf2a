// Types reads the types of packages and of their tests as for the system that GOOS names, and says what is wrong with them. What they need
// is read too, and compiled for nothing, as `go vet` would have it, which takes eight times as long.
package main

import (
	"flag"
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	tags := flag.String("tags", "", "build tags, with commas between them")
	flag.Parse()
	count, err := mistakes(".", os.Environ(), *tags, flag.Args()...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || count > 0 {
		os.Exit(1)
	}
}

// mistakes prints what is wrong with packages, and counts it.
func mistakes(dir string, env []string, tags string, patterns ...string) (int, error) {
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes,
		Dir: dir, Env: env, BuildFlags: []string{"-tags=" + tags}, Tests: true,
	}, patterns...)
	if err != nil {
		return 0, fmt.Errorf("looking for packages: %w", err)
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("no packages in %q", patterns)
	}
	return packages.PrintErrors(all), nil
}
