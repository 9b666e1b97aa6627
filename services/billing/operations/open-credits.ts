import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";

/** Opening the same token again answers the same credits: a purchase that is told of twice makes its token twice. */
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
