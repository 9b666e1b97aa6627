import type { Handler, Reply } from "#libs/contract/index.ts";
import type { AskOwners } from "./ask-owners.ts";

/** The databases of every service; of each the rows, size (MB) and last change. */
export function getHealthDetailed(ask: AskOwners): Handler<"getHealthDetailed"> {
	return async () => {
		const parts = await Promise.all([
			ask("describeDatabases"),
			ask("describeSignalDatabases"),
			ask("describeScoringDatabases"),
		]);
		const databases = parts.flatMap((part) => part.databases);
		const reply: Reply<"getHealthDetailed"> = { status: "ok", databases };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
