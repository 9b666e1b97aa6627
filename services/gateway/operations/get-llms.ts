import type { Handler } from "#libs/contract/index.ts";
import { llms } from "../documents/llms.ts";
import { askSampled, sampleNote } from "../documents/sample.ts";
import type { Terms } from "../documents/terms.ts";
import type { AskOwners } from "./ask-owners.ts";

const patienceMs = 3_000;

/** Of the data it says one thing: whether they are invented. Its links are whole, by `publicUrl` or else by the address it is asked for at. */
export function getLlms(publicUrl: string, terms: Terms, ask: AskOwners): Handler<"getLlms"> {
	return async (_params, { http }) => {
		const asked = [ask("describeCoverage"), ask("describeSignalCoverage")];
		const sampled = await askSampled(asked, AbortSignal.timeout(patienceMs));
		return { json: llms(http?.site ?? publicUrl, terms, sampleNote(sampled)), dataVersion: 0 };
	};
}
