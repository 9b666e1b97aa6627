/** Reads a developer's parent company from the register. Pure. */

/** Kinds of owners, in lower case: two "municipal" developers are not one party, nor are two developers financed by the same bank. */
const genericParents: ReadonlySet<string> = new Set([
	...["private", "public", "public power", "municipal", "cooperative", "state agency", "us government"],
	...["investor consortium", "private consortium", "infrastructure investors", "pension investors", "venture"],
	...["encap-backed", "goldman sachs", "none", "unknown"],
]);

/**
 * The parent company, without notes in brackets ("AES Corp (take-private pending)"); null for a kind of owner ("municipal"), for several
 * companies ("CPP Investments and GIP"), and for a status ("in ch.11 since 2025-11-06").
 */
export function parentCompany(stated: string | null): string | null {
	const name =
		stated
			?.replace(/\([^)]*\)/g, " ")
			.replace(/\s+/g, " ")
			.trim() ?? "";
	return name === "" || genericParents.has(name.toLowerCase()) || / and |[,;\d]/.test(name) ? null : name;
}
