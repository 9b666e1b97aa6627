/** The rule for commit subjects (CONTRIBUTING.md): the hook `.ci/hooks/commit-msg` and `test/service/words.test.ts` apply it. */
import { readFileSync } from "node:fs";

const maxLength = 72;
/** First words that end like another form of a verb, and are imperative. */
const imperative =
	/^(?:address|bless|bring|compress|discuss|embed|exceed|express|feed|focus|guess|need|pass|ping|press|proceed|process|seed|shed|speed|spread|suppress|toss|bypass)$/i;
const notVerbs =
	/^(?:a|an|the|all|any|each|every|no|one|two|of|in|on|at|by|for|from|to|with|what|which|whose|who|how|why|when|where|while|it|its|this|that|these|those|there)$/i;

/** Returns what is wrong with a commit subject, undefined if nothing is. Subjects that git writes (merge, revert, fixup) pass. */
export function findSubjectFault(subject: string): string | undefined {
	if (/^(?:Merge |Revert "|fixup! |squash! |amend! )/.test(subject)) return undefined;
	if (subject.length > maxLength) return `has ${subject.length} characters, at most ${maxLength} are allowed`;
	const [first = ""] = subject.split(" ", 1);
	if (!/^[A-Z][a-z-]+$/.test(first)) return "must begin with a capitalised verb";
	if (notVerbs.test(first) || (/(?:ed|ing|s)$/.test(first) && !imperative.test(first)))
		return `must begin with a verb in the imperative ("Add", "Fix"), not "${first}"`;
	if (subject.endsWith(".")) return "must not end with a full stop";
	return undefined;
}

if (import.meta.main) {
	const [, , file = ""] = process.argv;
	const subject =
		readFileSync(file, "utf8")
			.split("\n")
			.find((line) => line !== "" && !line.startsWith("#")) ?? "";
	const fault = findSubjectFault(subject);
	if (fault !== undefined) {
		console.error(`The commit subject ${fault}: ${subject}`);
		process.exitCode = 1;
	}
}
