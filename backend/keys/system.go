package keys

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/zalando/go-keyring"
)

// service is the name under which the program's keys stand in the keychain.
const service = "palimpsest"

// System is the keychain of macOS, the credential manager of Windows, or the secret service of a Linux desktop.
func System() Keychain { return system{} }

type system struct{}

func (system) Get(account string) (string, error) {
	if err := available(); err != nil {
		return "", err
	}
	key, err := keyring.Get(service, account)
	return key, said(err)
}

func (system) Set(account, secret string) error {
	if err := available(); err != nil {
		return err
	}
	return said(keyring.Set(service, account, secret))
}

func (system) Delete(account string) error {
	if err := available(); err != nil {
		return err
	}
	return said(keyring.Delete(service, account))
}

func said(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNone
	}
	return fmt.Errorf("%w: %w", ErrKeychain, err)
}

// available keeps the library from starting a session bus of its own where there is none, as on a server.
func available() error {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, "bus")); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: this session has no message bus", ErrKeychain)
}
