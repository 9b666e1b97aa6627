/** Words that have a standard term in docs/glossary.md: none of them comes back. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** By pattern (extended, any case), what is used instead. */
const replaced: Record<string, string> = {
	"\\bdoors?\\b": "authorization, authorize",
	"\\bkey-?ring": "API key cache",
	"\\bvisitOf|\\bvisitorOf": "request metering; caller context",
	"\\baskInside": "dispatch",
	"\\boverhear": "ephemeral subscription",
	"\\bpenalt(y|ies)": "abuse throttle",
	"\\boffences?\\b": "violation",
	"\\bjudgeAgain": "resolve replay",
	"(?-i:(?<!first_)(?<![a-z])[Tt]old(?![a-z]))|\\buntold\\b": "published; a sentence with a subject",
	"\\bwhoever\\b": "the caller, the client, the consumer",
	"(?-i:(?<![a-z])[Hh]ear(?:d|s)?(?![a-z]))|unheard": "received, subscribes to",
	"(?-i:(?<![a-z])touched_|[Tt]roubleOf)": "recompute queue; incident",
	"\\bfuller\\b": "merge rules",
	"\\bwho (asks?|reads?|calls?|comes?|waits?)\\b": "the caller, the client, the consumer",
	// Two details of errors have them, which callers may look for.
	"\\bnobody\\b(?! was given)": "no caller, no request",
	"(?<!pays |/)\\bsomebody\\b": "the caller, the client, the consumer",
	"\\bvisits?\\b": "request metering; caller context",
	"\\bpage-?starts\\b": "keyset cursors",
	"\\bnew Moments\\b": "keyset cursors",
};

/** Where the word is the world's own: a county, what a court orders. */
const exempt = [
	":!test/service/words.test.ts",
	":!docs/glossary.md",
	":!**/counties.*",
	":!services/signals/headlines/classes/**",
	":!test/**/fixtures/**",
	":!**/package-lock.json",
	":!**/*.snapshot.json",
];

const linesWith = (pattern: string): string[] => {
	try {
		const args = ["grep", "-nIiP", pattern, "--", ...exempt];
		return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");
	} catch (error) {
		// Git's word for "none".
		if (error instanceof Error && "status" in error && error.status === 1) return [];
		throw error;
	}
};

test("a word is found where it is", () => expect(linesWith("\\bglossary\\b").length).toBeGreaterThan(0));

test.each(Object.entries(replaced))("%s: %s", (pattern) => expect(linesWith(pattern)).toEqual([]));
