package keys

import "errors"

// ErrOther is returned where a key would be put back over another one.
var ErrOther = errors.New("another key has been kept for it since, which stays")

// back puts a key back that a change took from an account; nil if it took none. It is good as long as the account has what
// the change left there.
func (k *Keys) back(account, taken, left string) func() error {
	if taken == "" || taken == left {
		return nil
	}
	return func() error {
		_, err := k.change(account, taken, func() error {
			switch now, err := k.Chain.Get(account); {
			case err != nil && !errors.Is(err, ErrNone):
				return err
			case now != left:
				return ErrOther
			}
			return k.Chain.Set(account, taken)
		})
		return err
	}
}
