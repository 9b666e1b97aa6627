/** The words of docs/glossary.md, comments that begin with a subject, and subjects of commits. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSubjectFault } from "../../deploy/local/commit-subject.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Replacements by pattern (Perl, any case). Entries of the glossary that are ordinary English too (word, mark, gap, walk, room, house, border, stays,
 * goes, answers) are left to readers. Names that running systems share remain: the table `paid_answers`, the metric `gateway_kept_bytes`,
 * consumers and jobs (`forget-sample`, `release-forgotten`).
 */
const replaced: Record<string, string> = {
	"\\bdoors?\\b": "authorization, authorize",
	"\\badmit|\\blets? in\\b": "authorize, accept",
	"\\bkey-?ring": "API key cache",
	"\\bvisitOf|\\bvisitorOf|\\bvisits?\\b": "request metering; caller context",
	"\\baskInside": "dispatch",
	"\\boverhear|\\bonGap\\b": "ephemeral subscription, on reconnect",
	"\\bpenalt(y|ies)|\\boffences?\\b": "abuse throttle, violation",
	"\\bjudgeAgain": "resolve replay",
	"(?-i:(?<!first_)(?<![a-z])[Tt]old(?![a-z]))|\\buntold\\b": "published; a sentence with a subject",
	"\\bwhoever\\b|\\bwho (asks?|reads?|calls?|comes?|waits?)\\b": "the caller, the client, the consumer",
	"\\bnobody\\b|\\bsomebody\\b": "no caller, no request; the caller, the client",
	"(?-i:(?<![a-z])[Hh]ear(?:d|s)?(?![a-z]))|unheard": "received, subscribes to",
	"(?-i:(?<![a-z])touched_|[Tt]roubleOf)": "recompute queue; incident",
	"\\btroubles?\\b": "incident",
	"\\bfuller\\b": "merge rules",
	"\\bpage-?starts\\b|(?-i:(class|interface|type|new) (Moments|PageStarts)\\b)": "keyset cursors",
	"(?-i:(class|interface|type|new) Pages\\b)": "what the pages are of",
	"\\bneedles?\\b": "search patterns",
	"\\bstandings\\b": "developer ratings",
	"(?-i:(class|interface|type) Owed\\b)|\\bowe\\(": "pending increments, enqueue, flush",
	"\\bkeepUp\\b|\\binStep\\b|service/rest\\.ts|answersFrom|limiter/shared|\\bborn\\b": "a standard term",
	"\\bplaceOf\\b": "region, clientAddress: what the place is",
	"disbeliev|\\bbelieved\\b": "supersede, is_current",
	"\\b(table|from|join|into|update|with) (reached|course|said|met)\\b": "late_heads, old_states, statements, merged",
	"\\bkeep-?(scored|matched)\\b": "startScoring, startMatching",
	"letLoadThrough|put-?Away\\b": "waitForBulkLoad, deadLetter",
	"\\bofThen\\b|\\bisNear\\b|\\bmostLooks\\b|\\bof then\\b": "pastRows, usesIdIndex, asOf",
	"\\b(const|let) (looked|asked|told|believed|said|met)\\b": "a noun that says what it holds",
	"\\btake-?(in|turn)\\b": "ingest, runBatch",
	"\\bcodings?\\b": "contentEncoding",
	"\\bkept answers?\\b|(?-i:(class|interface|type) Answers\\b)": "response cache, cached responses",
	"\\bdoubt": "late result; uncertain",
	usage_kept: "usage retention",
	"(?-i:(class|interface|type) (Gate|Turn)\\b)": "concurrency limit, slot",
	"/away\\.ts|/reads\\.ts": "connection errors; replica routing",
	"\\b(leaves?|left|leaving) the sample\\b|leftSample": "removed, remove the sample",
	"(?-i:(class|interface|type) (Part|Tally|Look|Sentence|Place)\\b)": "step, statistics, poll result, user error",
	"\\b(moment|past)\\??: (string|Date|number|boolean|AsOf)\\b": "asOf",
	"\\bforgets?\\b(?!-)|(?<!release-)\\bforgotten\\b": "is deleted, is deleted after",
	"\\baloud\\b": "with a warning",
};

/** Where the word is the world's own (a county, what a court orders), or is quoted as replaced. */
const exempt = [
	":!test/service/words.test.ts",
	":!docs/glossary.md",
	":!**/counties.*",
	":!services/signals/headlines/classes/**",
	":!test/**/fixtures/**",
	":!**/*.fixture.ts",
	":!test/signals/support/*-headlines.ts",
	":!**/package-lock.json",
	":!**/*.snapshot.json",
];

const git = (...args: string[]): string[] => {
	try {
		const lines = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).trim();
		return lines === "" ? [] : lines.split("\n");
	} catch (error) {
		// `git grep` found nothing.
		if (error instanceof Error && "status" in error && error.status === 1) return [];
		throw error;
	}
};

test("a word in a tracked file is found", () =>
	expect(git("grep", "-nIiP", "\\bglossary\\b").length).toBeGreaterThan(0));

const linesWith = (...patterns: string[]) =>
	git("grep", "-nIiP", ...patterns.flatMap((pattern) => ["-e", pattern]), "--", ...exempt);

test("no line contains a replaced word", () => {
	const lines = linesWith(...Object.keys(replaced));
	const faults = lines.map((line) => [
		line,
		Object.entries(replaced).find(([pattern]) => linesWith(pattern).includes(line))?.[1],
	]);
	expect(faults).toEqual([]);
});

const written = ["*.ts", "*.tsx", "*.mjs", "*.sql", "*.css", "*.sh", "*.yaml", "*.yml", "*.conf"];
const withoutSubject =
	/(?<!^[ \t]*(?:\/\/|--|#)[^\n]*\n)^[ \t]*(?:\{?\/\*\*?\s*(?:\* )?|(?:\/\/|--|#) )(?:Of|What|Whose|That of)\b.*/gm;

test("comments begin with a subject, not with a bare Of, What, Whose or That of", () => {
	const found = git("ls-files", "--", ...written).flatMap((path) =>
		(readFileSync(join(root, path), "utf8").match(withoutSubject) ?? []).map((comment) => `${path}: ${comment.trim()}`),
	);
	expect(found).toEqual([]);
});

test("a commit subject is refused if it is not imperative or has more than 72 characters", () => {
	expect(findSubjectFault("Read lists of past days by their index")).toBeUndefined();
	expect(findSubjectFault('Revert "Read lists"')).toBeUndefined();
	expect(findSubjectFault("The lists are read")).toContain("imperative");
	expect(findSubjectFault("Reads lists")).toContain("imperative");
	expect(findSubjectFault("read lists")).toContain("capitalised");
	expect(findSubjectFault("Read lists.")).toContain("full stop");
	expect(findSubjectFault(`Read ${"x".repeat(68)}`)).toContain("73 characters");
});

test("subjects of commits are imperative and have at most 72 characters", () => {
	const [since] = git("log", "--diff-filter=A", "--format=%H", "--", "deploy/local/commit-subject.ts").slice(-1);
	const subjects = since ? git("log", "--no-merges", "--ancestry-path", "--format=%s", `${since}..HEAD`) : [];
	const refused = subjects
		.map((subject) => ({ subject, fault: findSubjectFault(subject) }))
		.filter(({ fault }) => fault);
	expect(refused).toEqual([]);
});
