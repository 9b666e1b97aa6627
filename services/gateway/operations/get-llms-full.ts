import type { Handler, Reply } from "#libs/contract/index.ts";
import { inTime } from "../documents/in-time.ts";
import type { LiveExamples } from "../documents/live-examples.ts";
import { llmsFull } from "../documents/llms-full.ts";
import { askSampled, sampleNote } from "../documents/sample.ts";
import type { Terms } from "../documents/terms.ts";
import type { AskOwners } from "./ask-owners.ts";

export interface ReferenceParts {
	publicUrl: string;
	terms: Terms;
	examples: () => Promise<LiveExamples>;
	ask: AskOwners;
	/** What SQL can be asked of. */
	schema: (signal: AbortSignal) => Promise<Reply<"getQuerySchema">>;
}

const patienceMs = 6_000;

/** Written anew for each request, of what is kept: it shows what the endpoints answer now. Without an owner its examples are missing. */
export function getLlmsFull({ publicUrl, terms, examples, ask, schema }: ReferenceParts): Handler<"getLlmsFull"> {
	return async (_params, { http }) => {
		const signal = AbortSignal.timeout(patienceMs);
		const orNothing = <T>(asked: Promise<T>) => inTime(asked, signal).catch(() => undefined);
		const [live, known, databases, sampled] = await Promise.all([
			examples(),
			orNothing(ask("listPlans")),
			orNothing(schema(signal)),
			askSampled([ask("describeCoverage"), ask("describeSignalCoverage")], signal),
		]);
		const sample = sampleNote(sampled);
		return {
			json: llmsFull({ site: http?.site ?? publicUrl, terms, live, plans: known?.plans, schema: databases, sample }),
			dataVersion: 0,
		};
	};
}
