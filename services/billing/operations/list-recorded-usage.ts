import type { Handler, Reply } from "#libs/contract/index.ts";
import { recordUsage } from "../reactions/record-usage.ts";
import type { Resources } from "../resources.ts";

export function listRecordedUsage({ sql }: Resources): Handler<"listRecordedUsage"> {
	return async ({ ids }) => {
		const events = await sql<{ event_id: string }[]>`
			select event_id from inbox where reaction = ${recordUsage.name} and event_id = any(${ids}::text[])`;
		const reply: Reply<"listRecordedUsage"> = { ids: events.map((event) => event.event_id) };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
