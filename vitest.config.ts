import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import ProjectByProject from "./test/support/project-by-project.ts";

const { TEST_POSTGRES_URL, TEST_NATS_URL, TEST_REDIS_URL, TEST_SYSTEM } = process.env;
const globalSetup = "./test/support/global-setup.ts";
/** Campaigns (docs/campaigns.md), which `npm test` leaves out: whole files, and tests with this tag in files that CI also runs. */
const long = "test/**/*.long.test.ts";
const campaign = { name: "campaign", description: "Too long for CI: npm run test:long" };
const tagged = globSync("test/*/{,*/}*.test.ts").filter((file) => readFileSync(file, "utf8").includes('"campaign"'));
/** The validators' packages contain their own tests. */
const foreign = "**/node_modules/**";

/**
 * They start whole systems, read real files, run other projects' validators, clients and browsers, or take long. `npm test` leaves them out, so
 * that it ends within minutes. With TEST_SYSTEM=1, as in CI, they are part of it and share the processes of `integration`.
 */
const system = [
	"test/**/*real*.test.ts",
	"test/{backup,bench,cluster,containers,faults,flows,soak}/**/*.test.ts",
	"test/deploy/{compose,image,k8s,nats-conf,prepare}.test.ts",
	"test/extracts/write.test.ts",
	"test/security/{secrets,tls-*}.test.ts",
	"test/streams/kills.test.ts",
	"test/web/*.test.ts",
	// Ten seconds or more each: `npm run test:times` prints them.
	"test/access/{authorization,authorization-limits,clients,credits-lost,pay-lost,pay-parallel,pay-settings,pay-stream,usage}.test.ts",
	"test/api/{archive,cli,client,every-list,every-operation*,examples,export,export-files,export-lists,python,stream}.test.ts",
	"test/bus/{lost-instance,relay}.test.ts",
	"test/{mcp/{oauth,questions,tools},operators/eighth-operator,signals/ingest,streams/changes}.test.ts",
	"test/query/{attacks,every-database,fuzz,query,query-refusals,views-values}.test.ts",
	"test/queue-ingest/{archive,as-of-*,changes,developers*,guards,identity,list-and-log,owners,provenance,sample,scores}.test.ts",
	"test/{scoring/late-lists,security/gateway-limits,subscriptions/{watchlists,webhooks}}.test.ts",
];

export default defineConfig({
	test: {
		environment: "node",
		// Node.js itself reads the files, which strips their types in half the time of Vite.
		experimental: { viteModuleRunner: false },
		tags: [campaign],
		// Inherited by the processes that tests start, so that they share one cache of compiled code, also with copies of this tree.
		env: {
			NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)),
			NODE_COMPILE_CACHE_PORTABLE: "1",
		},
		reporters: ["default", "./test/support/closing-line.ts"],
		// As many as CI has cores. With a third, processes were so slow that they exceeded limits of a few seconds.
		maxWorkers: 2,
		sequence: { sequencer: ProjectByProject },
		// Test files in one process load shared modules once.
		isolate: false,
		// A worker holds many servers at once: with the default, garbage collection is a seventh of its time.
		execArgv: ["--max-semi-space-size=64"],
		restoreMocks: true,
		// Test files share servers that already run, and would interfere if they ran in parallel.
		fileParallelism: !(TEST_POSTGRES_URL || TEST_NATS_URL || TEST_REDIS_URL),
		// Tests wait for what servers decide among themselves, each wait with a limit of its own.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		projects: [
			{
				extends: true,
				test: { name: "unit", include: ["{libs,services,tools,web}/**/*.test.ts"], testTimeout: 20_000 },
			},
			{
				extends: true,
				test: {
					name: "integration",
					include: ["test/**/*.test.ts"],
					exclude: [foreign, long, ...(TEST_SYSTEM ? [] : system)],
					globalSetup,
				},
			},
			{
				extends: true,
				test: { name: "system", include: system, exclude: [foreign, long], globalSetup },
			},
			{
				extends: true,
				test: {
					...{ name: "long", include: [long, ...tagged], exclude: [foreign], fileParallelism: false },
					...{ globalSetup, testTimeout: 3_600_000 },
				},
			},
		],
	},
});
