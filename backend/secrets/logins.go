package secrets

import "strings"

// logins finds the passwords in addresses: scheme://user:password@host.
func logins(text string, from int) (start, end int) {
	const most = 256
	for {
		at := strings.Index(text[from:], "://")
		if at < 0 {
			return 0, 0
		}
		from += at + len("://")
		colon := -1
		for i := from; i < min(len(text), from+most); i++ {
			c := text[i]
			if c == ':' && colon < 0 {
				colon = i
			}
			if c == '@' && colon >= 0 {
				if secret := text[colon+1 : i]; !placeholder(secret) {
					return colon + 1, i
				}
			}
			if c <= ' ' || strings.IndexByte("/?#@\"'`<>\\", c) >= 0 {
				break
			}
		}
	}
}
