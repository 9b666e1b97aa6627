/**
 * What the gateway, the bus and the service are compared with: one process, Fastify and postgres.js, as one would write it
 * who needs no more than these two endpoints. Answers the same from the same tables. Environment: POSTGRES_URL, PORT.
 */
import Fastify from "fastify";
import postgres from "postgres";

const sql = postgres(process.env.POSTGRES_URL ?? "", {
	max: 10,
	types: {
		// As the interface says them: a date is its text, a count is a number.
		date: { to: 1082, from: [1082], serialize: String, parse: String },
		int8: { to: 20, from: [20], serialize: String, parse: Number },
	},
});

/** Of a request, as the interface shows it. */
const columns = () => sql`
	id, queue_id, name, region, state, county, counties, fips, developer, developer_tier, developer_id, developer_canonical,
	type, type_std, kind, status, status_std, status_basis, status_evidence, status_flag, listed, capacity_mw, summer_mw, winter_mw, queue_date, cod, actual_cod,
	withdrawn_date, ia_date, backfeed_date, energized_date, security_posted, construction_stage,
	construction_stage_confidence, study_phase, study_phase_filed, ia_status, ia_status_filed, poi, utility, cluster,
	service, lat, lon, location_precision, energy_community_eligible, low_income_eligible, domestic_content_eligible,
	domestic_content_basis,	tax_credit_type, tax_credit_status, tax_credit_pct, estimated_credit_value, effective_credit_rate, needs_capital,
	investable, investability_score, feed, iso(first_seen_at) as first_seen_at, iso(last_changed_at) as last_changed_at,
	iso(missing_since) as missing_since, version`;

interface Query {
	state: string;
	per_page?: string;
	page?: string;
	capacity_min?: string;
}

const app = Fastify();
app.get<{ Querystring: Query }>("/projects", async ({ query }) => {
	const [page, perPage] = [Number(query.page ?? 1), Number(query.per_page ?? 50)];
	const condition = sql`kind = 'generation' and state = ${query.state}
		${query.capacity_min === undefined ? sql`` : sql`and capacity_mw >= ${query.capacity_min}`}`;
	const [data, [counted]] = await Promise.all([
		sql`
			select ${columns()}
			from projects where ${condition} order by id limit ${perPage} offset ${(page - 1) * perPage}`,
		sql<{ total: number }[]>`select count(*) as total from projects where ${condition}`,
	]);
	const total = counted?.total ?? 0;
	return { data, meta: { total, page, per_page: perPage, pages: Math.ceil(total / perPage) } };
});

app.get<{ Params: { id: string } }>("/projects/:id", async ({ params: { id } }, reply) => {
	const [project] = await sql`
		select ${columns()},
			(select array_agg(a.number order by a.first_seen_at, a.number) from project_aliases a where a.project_id = p.id) as aliases,
			(select json_build_object('method', l.method, 'confidence', l.confidence, 'matched_text', l.matched_text)
				from developer_links l where l.raw_name = p.developer and l.developer_id is not null) as developer_match,
			raw
		from projects p where id = ${id}`;
	return project ?? reply.code(404).send({ detail: `no project ${id}` });
});

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
