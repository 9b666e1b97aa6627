/** Keeps what scoring says of a developer beside it and, as far as lists of requests show it, beside its requests. Publishes nothing. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { developerRated } from "#libs/contract/events/scoring.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";

export const copyRatings: Reaction<typeof developerRated> = {
	service: "queue-ingest",
	name: "copy-ratings",
	event: developerRated,
	async handler(tx, events) {
		// As the copies of scores; and a request that a list is just giving to a developer must not miss the developer's rating.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
		const newest = newestOfEach(events, (event) => event.developer_id);
		const [copied] = await tx<{ developers: number }[]>`
			with rated as (
				update developers d set (needs_capital, tax_credit_activity, distress_level, rated_version)
					= (e.needs_capital, e.tax_credit_activity, e.distress_level, e.version)
				from jsonb_to_recordset(${JSON.stringify(newest)}::text::jsonb) as e (developer_id integer, needs_capital boolean,
					tax_credit_activity text, distress_level text, version bigint)
				where d.developer_id = e.developer_id and e.version > d.rated_version
				returning d.developer_id, d.needs_capital),
			followed as (
				update projects p set needs_capital = r.needs_capital from rated r
				where p.developer_id = r.developer_id and p.needs_capital is distinct from r.needs_capital)
			select count(*) as developers from rated`;
		if (copied !== undefined && copied.developers > 0) await raiseDataVersion(tx);
	},
};
