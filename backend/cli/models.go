package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
)

const modelsLong = `Lists the models that the server in use offers: how large their windows are in tokens, who says so, how long an
answer can be, and what a million tokens cost in US dollars, in and out. "-" is what is not known.

What config.yaml says of a model comes first, then what its server says, then the catalog that is built in. Prices in
the catalog are those of the provider at that address.

--provider names another server of providers in config.yaml.`

func (p *program) modelsCommand() *cobra.Command {
	var provider string
	var refresh bool
	cmd := &cobra.Command{
		Use:     "models",
		Short:   "List the models of a server, with windows and prices",
		GroupID: groupLook,
		Long:    modelsLong,
		Example: `  palimpsest models
  palimpsest models --provider work --json | jq -r '.models[].id'`,
		Args:              takes(0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := p.open()
			if err != nil {
				return err
			}
			models := b.Models(cmd.Context(), refresh)
			if provider != "" {
				if models, err = b.ModelsOf(cmd.Context(), provider, refresh); err != nil {
					return err
				}
			}
			if p.json {
				return p.answer(models)
			}
			return p.modelsText(&models)
		},
	}
	cmd.Flags().StringVar(&provider, "provider", "", "a server by its name in config.yaml; default: that of base_url")
	cmd.Flags().BoolVar(&refresh, "refresh", false, "ask the server even if it was asked just now")
	return cmd
}

func (p *program) modelsText(models *backend.Models) error {
	if models.BaseURL == "" && models.Error == nil {
		return withHint(backend.ErrNoModel)
	}
	key := "without a key"
	if models.KeyFrom != nil {
		key = map[string]string{"env": "with a key from the environment", "keychain": "with a key from the keychain"}[*models.KeyFrom]
	}
	who := oneLine(models.BaseURL)
	if models.Provider != nil {
		who = oneLine(*models.Provider) + ": " + who
	}
	if err := p.say("%s, %s", who, key); err != nil {
		return err
	}
	if models.Error != nil {
		return &fault{err: fmt.Errorf("asking for the models: %s", models.Error.Message), code: models.Error.Code, hint: models.Error.Hint}
	}
	widest := len("MODEL")
	for _, m := range models.Models {
		widest = max(widest, len(oneLine(m.ID)))
	}
	row := "%-" + strconv.Itoa(min(widest, 60)) + "s  %9s %-7s  %9s  %8s  %8s"
	if err := p.say(row, "MODEL", "WINDOW", "", "OUTPUT", "$ IN", "$ OUT"); err != nil {
		return err
	}
	for _, m := range models.Models {
		in, out := "-", "-"
		if m.Prices != nil {
			in, out = dollars(m.Prices.Input), dollars(m.Prices.Output)
		}
		line := fmt.Sprintf(row, oneLine(m.ID), orDash(m.Window), orEmpty(m.WindowFrom), orDash(m.MaxOutput), in, out)
		if err := p.say("%s", strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func dollars(price float64) string { return strconv.FormatFloat(price, 'f', -1, 64) }

// withHint is an error as it is told where no document can hold it.
func withHint(err error) error {
	p := backend.ProblemOf(err)
	return &fault{err: err, code: p.Code, hint: p.Hint}
}
