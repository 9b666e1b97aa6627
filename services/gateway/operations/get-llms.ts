import type { Handler } from "#libs/contract/index.ts";
import { llms } from "../discovery/llms.ts";
import { askSampled, sampleNote } from "../discovery/sample.ts";
import type { Terms } from "../discovery/terms.ts";
import type { AskOwners } from "./ask-owners.ts";

const patienceMs = 3_000;

/** Of the data it says one thing: whether they are invented. */
export function getLlms(publicUrl: string, terms: Terms, ask: AskOwners): Handler<"getLlms"> {
	return async () => {
		const asked = [ask("describeCoverage"), ask("describeSignalCoverage")];
		const sampled = await askSampled(asked, AbortSignal.timeout(patienceMs));
		return { json: llms(publicUrl, terms, sampleNote(sampled)), dataVersion: 0 };
	};
}
