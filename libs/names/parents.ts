/** Reads a developer's parent company from the register. Pure. */

/**
 * Parents that do not make developers one party, in lower case: kinds of owners ("municipal"), and banks that finance several developers.
 */
const genericParents: ReadonlySet<string> = new Set([
	...["private", "public", "public power", "municipal", "cooperative", "state agency", "us government"],
	...["investor consortium", "private consortium", "infrastructure investors", "pension investors", "venture"],
	...["encap-backed", "goldman sachs", "none", "unknown"],
]);

/**
 * The parent company, without notes in brackets ("AES Corp (take-private pending)"). Null if the text is a kind of owner ("municipal"), several
 * companies ("CPP Investments and GIP"), or a status ("in ch.11 since 2025-11-06").
 */
export function parentCompany(text: string | null): string | null {
	const name =
		text
			?.replace(/\([^)]*\)/g, " ")
			.replace(/\s+/g, " ")
			.trim() ?? "";
	return name === "" || genericParents.has(name.toLowerCase()) || / and |[,;\d]/.test(name) ? null : name;
}
