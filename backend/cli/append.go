package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const appendLong = `Appends records to a session and prints the seqs they got.

Records come from standard input, one JSON object a line, without "seq". "schemaVersion" and "timestamp" may be left
out. All of standard input is one batch: it is checked whole, and if one line is wrong, nothing is written and the error
names the line. What is printed is synced to the disk.`

func (p *program) appendCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "append ID",
		Short:   "Append records from standard input",
		GroupID: groupChange,
		Long:    appendLong,
		Example: `  echo '{"recordType":"message","role":"user","content":[{"type":"text","text":"hello"}]}' |
    palimpsest append 01JD9ZK3
  palimpsest append 01JD9ZK3 --json < records.jsonl`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
		RunE: p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
			lines, done := interruptible(cmd.Context(), p.in)
			defer done()
			seqs, err := b.Append(cmd.Context(), id, lines)
			if err != nil {
				return partly(err, seqs)
			}
			type document struct {
				Committed []int64 `json:"committed"`
			}
			return p.tell(document{seqs}, "%s", committed(seqs))
		}),
	}
}

// partly adds to an error what was saved before it.
func partly(err error, seqs []int64) error {
	if len(seqs) == 0 {
		return err
	}
	return &fault{err: fmt.Errorf("%w; saved before that: %s", err, committed(seqs)), committed: seqs}
}

// committed puts seqs into words. They rise one by one.
func committed(seqs []int64) string {
	switch len(seqs) {
	case 0:
		return "no records"
	case 1:
		return fmt.Sprintf("record %d", seqs[0])
	}
	words := make([]string, len(seqs))
	for i, seq := range seqs {
		words[i] = strconv.FormatInt(seq, 10)
	}
	if len(words) > 3 {
		words = []string{words[0], "…", words[len(words)-1]}
	}
	return "records " + strings.Join(words, " ")
}
