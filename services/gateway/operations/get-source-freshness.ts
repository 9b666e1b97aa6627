import type { Handler, Reply } from "#libs/contract/index.ts";
import type { AskOwners } from "./ask-owners.ts";

export function getSourceFreshness(ask: AskOwners): Handler<"getSourceFreshness"> {
	return async () => {
		const parts = await Promise.all([ask("listSources"), ask("listSignalSources"), ask("listScoringSources")]);
		const sources = parts.flatMap((part) => part.sources);
		const reply: Reply<"getSourceFreshness"> = {
			timestamp: new Date().toISOString(),
			total_sources: sources.length,
			sources,
		};
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
