import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";

/** Idempotent: the same token gets the same credits, because the processor may report a purchase twice. */
export function openCredits({ sql, now }: Resources): Handler<"openCredits"> {
	return async ({ sha256, hint }) => {
		const [opened] = await sql<Reply<"openCredits">[]>`
			insert into credits as c (sha256, hint, created_at) values (${sha256}, ${hint}, ${now().toISOString()})
			on conflict (sha256) do update set hint = c.hint
			returning id as credits_id, iso(created_at) as created_at`;
		if (opened === undefined) throw new Error("an upsert answered no row");
		return { json: JSON.stringify(opened), dataVersion: 0 };
	};
}
