package cli

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/backend"
)

// withOffer adds to the error that no model is configured what is there to be used: a server found on this machine.
func withOffer(ctx context.Context, b *backend.Backend, err error) error {
	if !errors.Is(err, backend.ErrNoModel) {
		return err
	}
	for _, server := range b.LocalServers(ctx) {
		if len(server.Models) == 0 {
			continue
		}
		return &fault{err: err, hint: fmt.Sprintf(
			"%s runs on this machine: put base_url: %s and model: %s into config.yaml, or set PALIMPSEST_BASE_URL and PALIMPSEST_MODEL",
			server.Name, server.BaseURL, server.Models[0])}
	}
	return err
}
