/**
 * The operators' lists as `--live` downloads them, from stand-ins at the operators' own addresses, which answer as those do. A 202 and further
 * downloads: broken-responses.test.ts, whose clients do not wait ten seconds.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect as connectTo } from "node:net";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { makeCertificates } from "../security/support/certificates.ts";
import { createDatabase } from "../support/database.ts";
import { type QueueFeed, queueFile, queueRows } from "../support/queue-files.ts";
import { daysLater, indexPages, listOf, regionOf } from "./ingest-world.ts";

/** By a part of the address. */
const feeds: Record<string, QueueFeed> = {
	...{ getprojects: "miso", PlanningQueues: "pjm-serial", TransitionProjects: "pjm-cycle", PublicQueueReport: "caiso" },
	...{
		"cluster-15": "caiso-cluster-15",
		GenerateSummaryCSV: "spp-summary",
		"spp.org": "spp",
		"nyiso.com": "nyiso",
		"ercot.com": "ercot",
	},
};
type Answer = (request: IncomingMessage, response: ServerResponse, list: Buffer) => unknown;

const whole: Answer = (_, response, list) => response.writeHead(200).end(list);
const answers: Partial<Record<QueueFeed, Answer>> = {
	miso: (_, response, list) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(list)),
	/** Sends the client away with a cookie, until it comes back with it. */
	"pjm-serial": (request, response, list) => {
		if (request.headers.cookie === "seen=1") whole(request, response, list);
		else response.writeHead(302, { "set-cookie": "seen=1; Secure; HttpOnly", location: request.url }).end();
	},
	"caiso-cluster-15": (_, response) => response.writeHead(403).end("<html>Access denied</html>"),
	spp: (_, response, list) => {
		response.writeHead(200, { "content-length": list.length });
		response.write(list.subarray(0, list.length / 2), () => response.destroy());
	},
};

test("each list is ingested over redirects, cookies and gzip; a failure states its reason", async () => {
	using certificates = makeCertificates();
	const authority = certificates.authority();
	// ISO New England's name is not in the certificate.
	const hosts = ["misoenergy.org", "pjm.com", "caiso.com", "spp.org", "nyiso.com", "ercot.com"];
	const { cert, key } = authority.sign(...hosts.map((host) => `DNS:*.${host}`));
	const lists = new Map<QueueFeed, Buffer>();
	for (const feed of Object.values(feeds))
		lists.set(feed, Buffer.from((await listOf(feed, await queueFile(feed, queueRows(feed)))).bytes));
	const publisher = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
		const address = `${request.headers.host}${request.url}`;
		const [, feed] = Object.entries(feeds).find(([part]) => address.includes(part)) ?? [];
		const page = indexPages[new URL(`https://${address}`).pathname];
		const list = page === undefined ? lists.get(feed ?? "miso") : Buffer.from(page);
		if (feed === undefined || list === undefined) response.writeHead(404).end();
		else (answers[feed] ?? whole)(request, response, list);
	}).listen(0, "127.0.0.1");
	const proxy = createProxy().listen(0, "127.0.0.1");
	proxy.on("connect", (_, client, head) => {
		const tunnel = connectTo((publisher.address() as AddressInfo).port, "127.0.0.1", () => {
			client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
			tunnel.write(head);
			tunnel.pipe(client).pipe(tunnel);
		});
		for (const socket of [tunnel, client]) socket.on("error", () => [tunnel, client].map((one) => one.destroy()));
	});
	onTestFinished(() => {
		publisher.closeAllConnections();
		for (const server of [publisher, proxy]) server.close();
	});
	await Promise.all([publisher, proxy].map((server) => server.listening || once(server, "listening")));
	await using database = await createDatabase();
	await using sql = connect(database.url, { schema: "queue_ingest", name: "live", max: 1 });
	// The first list of a feed would have to be as long as the operator's.
	for (const feed of ["miso", "pjm-cycle", "pjm-serial", "caiso", "nyiso", "ercot"] as const) {
		const file = await listOf(feed, await queueFile(feed, queueRows(feed, { count: 119 })));
		const before = { region: regionOf(feed), files: [file], asOf: daysLater(0) };
		expect(await ingestSnapshot(sql, before)).toMatchObject({ outcome: "applied" });
	}
	const env = {
		...{ ...process.env, POSTGRES_URL: database.url, NODE_EXTRA_CA_CERTS: authority.ca, NODE_USE_ENV_PROXY: "1" },
		HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
	};
	const args = ["services/queue-ingest/admin/ingest.ts", "--live"];
	await promisify(execFile)(process.execPath, args, { env }).catch(() => {});
	const rows = await sql<{ feed: string; outcome: string; reason: string | null }[]>`
		select feed, last_outcome as outcome, last_reason as reason from feeds order by feed`;
	expect(Object.fromEntries(rows.map(({ feed, outcome, reason }) => [feed, reason ?? outcome]))).toMatchObject({
		...{ miso: "applied", "pjm-serial": "applied", "pjm-cycle": "applied", caiso: "applied" },
		...{ nyiso: "applied", ercot: "applied", isone: "isone: irtt.iso-ne.com could not be reached" },
		"caiso-cluster-15": "caiso-cluster-15: www.caiso.com responded with HTTP 403",
		spp: expect.stringContaining("spp: the download from opsportal.spp.org was interrupted after"),
	});
});
