/** A value of a request that no operator's list states, and what it rests on. */
import type { Reply } from "#libs/contract/index.ts";
import type { ProvenanceRule } from "#libs/contract/provenance-rules.ts";
import type { FoundCell } from "./cells-of-field.ts";

type Citations = Reply<"getProjectProvenance">["data"][number]["citations"];

export interface OtherPublisher {
	fields: readonly string[];
	rule: ProvenanceRule;
	evidence: { method: string; confidence: number | null; text: string | null } | null;
	/** What the operator filed instead, by field; null where it states nothing of them. */
	filed: Record<string, unknown> | null;
	see: string | null;
	/** Fields that the value is computed from. */
	facts?: readonly string[];
	citations?: Citations;
	/** The cells of the report, where its file keeps its rows. */
	report?: FoundCell & { file: string; sha256: string; inputs: FoundCell[] };
}
