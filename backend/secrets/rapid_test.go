package secrets

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// near are pieces that secrets, and what looks like them, are made of.
var near = rapid.SampledFrom([]string{
	"A_TOKEN=", "password: ", `"api_key":"`, "Authorization: Bearer ", "Cookie: a=", "://u:", "@h", "AKIA", "sk-", "ghp_", "eyJ", "-----BEGIN RSA PRIVATE KEY-----\n", "-----END RSA PRIVATE KEY-----",
	letters36, letters40, webOne, keyLines, "\n", `\n`, `\`, `"`, "'", " ", "=", ":", ".", "[", "$", "x", "word", "12", "é", "\xff", Removed,
})

func anyText(t *rapid.T, label string) string {
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(near, 0, 12), func(p []string) string { return strings.Join(p, "") })).Draw(t, label)
}

// TestOnce: what was taken out stays out, and nothing else goes the next time.
func TestOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t, "text")
		once, n := Strip(text)
		if n == 0 && once != text {
			t.Fatalf("%q became %q for nothing", text, once)
		}
		if twice, more := Strip(once); twice != once || more != 0 {
			t.Fatalf("%q is %q and then %q", text, once, twice)
		}
		if utf8.ValidString(text) && !utf8.ValidString(once) {
			t.Fatalf("%q is %q", text, once)
		}
	})
}

// TestPlanted: a key is found wherever it stands as a word.
func TestPlanted(t *testing.T) {
	all := keys()
	names := slices.Sorted(maps.Keys(all))
	rapid.Check(t, func(t *rapid.T) {
		key := all[rapid.SampledFrom(names).Draw(t, "key")]
		space := rapid.SampledFrom([]string{" ", "\n", "\"", "'", "(", "=", ": ", "`"})
		planted := space.Draw(t, "left") + key + space.Draw(t, "right")
		text := anyText(t, "before") + planted + anyText(t, "behind")
		if got, n := Strip(text); n == 0 || strings.Contains(got, planted) {
			t.Fatalf("%q is %q", text, got)
		}
		object := `{"text":` + string(escaped(strings.ToValidUTF8(text, "?"))) + `}`
		if got, n := JSON([]byte(object)); n == 0 || strings.Contains(string(got), string(escaped(planted)[1:len(escaped(planted))-1])) || !strings.HasPrefix(string(got), `{"text":"`) {
			t.Fatalf("%s is %s", object, got)
		}
	})
}

// TestProse: words, numbers and hashes stay as they are.
func TestProse(t *testing.T) {
	word := rapid.OneOf(
		rapid.StringMatching(`[a-z]{1,12}`), rapid.StringMatching(`[0-9]{1,9}`), rapid.StringMatching(`[0-9a-f]{40}`), rapid.StringMatching(`[0-9a-f]{64}`),
		rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), rapid.SampledFrom([]string{"password", "token", "key", "secret", "x := f(y)", "Token{}", "https://a/b?c=d"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(word).Draw(t, "words"), rapid.SampledFrom([]string{" ", "\n", ", ", ": ", " = "}).Draw(t, "between"))
		if strings.Contains(text, ": ") || strings.Contains(text, " = ") {
			for _, name := range []string{"password", "token", "key", "secret"} {
				text = strings.ReplaceAll(text, name, "name")
			}
		}
		if got, n := Strip(text); got != text || n != 0 {
			t.Fatalf("%q is %q", text, got)
		}
	})
}

func FuzzStrip(f *testing.F) {
	for _, key := range keys() {
		f.Add("A_TOKEN=" + key + "\n")
	}
	f.Add(`{"authorization":"Bearer abc123def456","set-cookie":["a=1"]}`)
	f.Add("-----BEGIN RSA PRIVATE KEY-----\n" + keyLines + "-----END RSA PRIVATE KEY-----")
	f.Add("postgres://app:s3cr3t@db")
	f.Fuzz(func(t *testing.T, text string) {
		once, _ := Strip(text)
		if twice, n := Strip(once); n != 0 || twice != once {
			t.Errorf("%q is %q and then %q", text, once, twice)
		}
		_, _ = JSON([]byte(text))
	})
}

func BenchmarkStrip(b *testing.B) {
	hostile := map[string]string{
		"prose": "It is said, at 12:30, that the key to x = y is `f(z)`: see https://example.com/a?b=c for more.\n", "output": "src/main.go:12:34: err := token.Parse(key) // 04fdb96a1b2c3d4e\n",
		"environment": "HOME=/root\nAPI_TOKEN=a1b2c3d4e5f6\nPATH=/usr/bin\n", "names": "token=", "dots": "eyJ", "quotes": `token=\"`, "begins": "-----BEGIN RSA PRIVATE KEY-----\n",
		"lines": keyLines, "addresses": "a://b:", "ids": "AKIAJ3KQ5MZ7TRWX2PLN ", "cookies": "cookie: ", "prefixes": "AKIAIzaAIza", "hyphens": "sk-ant-xoxb-aa",
		"commands": "sshpass -p hunter2 ssh\n",
	}
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		text := strings.Repeat(hostile[name], 1<<20/len(hostile[name]))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Strip(text)
			}
		})
	}
}
