package cli

import (
	"github.com/spf13/cobra"

	"palimpsest/backend"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		GroupID: groupOther,
		Long:    "Prints the version of this program. The same as --version.",
		Example: "  palimpsest version --json",
		Args:    takes(0, 0),

		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return p.version() },
	}
}

func (p *program) version() error {
	type document struct {
		Version string `json:"version"`
	}
	return p.tell(document{backend.Version}, "palimpsest %s", backend.Version)
}
