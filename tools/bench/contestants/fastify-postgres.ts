/**
 * The baseline for the gateway, the bus and the service: one process with Fastify and postgres.js, as one would write it for these two
 * endpoints alone. It gives the same answers from the same tables. Environment: POSTGRES_URL, PORT.
 */
import Fastify from "fastify";
import postgres from "postgres";

const sql = postgres(process.env.POSTGRES_URL ?? "", {
	max: 10,
	types: {
		// Types of the interface: a date is its text, a count is a number.
		date: { to: 1082, from: [1082], serialize: String, parse: String },
		int8: { to: 20, from: [20], serialize: String, parse: Number },
	},
});

/** The fields of a request in the order of the interface, times as it shows them: `project_body` declares them. */
const fields = await sql<{ name: string; is_time: boolean }[]>`
	select f.attname as name, c.atttypid = 'timestamptz'::regtype as is_time
	from pg_attribute f join pg_attribute c on c.attrelid = 'projects'::regclass and c.attname = f.attname
	where f.attrelid = 'project_body'::regclass and f.attnum > 0 and not f.attisdropped order by f.attnum`;
const selected = fields.map(({ name, is_time }) => (is_time ? `iso(${name}) as ${name}` : name)).join(", ");
const columns = () => sql.unsafe(selected);

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
