import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import ProjectByProject from "./test/support/project-by-project.ts";

const { TEST_POSTGRES_URL, TEST_NATS_URL, TEST_REDIS_URL } = process.env;
const globalSetup = "./test/support/global-setup.ts";
/** Campaigns (docs/campaigns.md): whole files, and tests with the tag in files of the suite, which `npm test` leaves out. */
const long = "test/**/*.long.test.ts";
const campaign = { name: "campaign", description: "Too long for CI: npm run test:long" };
const withCampaigns = [
	"test/api/{cli,client,scores-of-a-day,tools}.test.ts",
	"test/deploy/nats-conf.test.ts",
	"test/faults/{access-billing,broken-real-downloads,broken-responses}.test.ts",
	"test/query/attacks.test.ts",
	"test/queue-ingest/owners-real.test.ts",
	"test/security/secrets.test.ts",
	"test/web/explore.test.ts",
];
/** Packages of other projects' validators, once installed, contain their own tests. */
const foreign = "**/node_modules/**";

/** They start whole systems, read real files, or run other projects' validators, clients and browsers. */
const system = [
	"test/**/*real*.test.ts",
	"test/**/{judges,tools,register-browser}.test.ts",
	"test/{backup,bench,cluster,containers,faults,flows,soak}/**/*.test.ts",
	"test/deploy/{compose,image,k8s,k8s-schema,nats-conf,prepare,prepare-managed}.test.ts",
	"test/extracts/write.test.ts",
	"test/security/{secrets,tls-*}.test.ts",
	"test/web/*.test.ts",
];

export default defineConfig({
	test: {
		environment: "node",
		tags: [campaign],
		// Processes that tests start inherit it: each loads modules that another has compiled.
		env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)) },
		reporters: ["default", "./test/support/closing-line.ts"],
		// More than two cores: a test file waits for servers a fifth of its time.
		maxWorkers: 3,
		sequence: { sequencer: ProjectByProject },
		// Files that share a process load the modules once.
		isolate: false,
		restoreMocks: true,
		// Servers from elsewhere are shared by all test files, which would interfere with each other.
		fileParallelism: !(TEST_POSTGRES_URL || TEST_NATS_URL || TEST_REDIS_URL),
		projects: [
			{
				extends: true,
				test: { name: "unit", include: ["{libs,services,web}/**/*.test.ts"], testTimeout: 20_000 },
			},
			{
				extends: true,
				test: {
					...{ name: "integration", include: ["test/**/*.test.ts"], exclude: [foreign, long, ...system] },
					...{ globalSetup, testTimeout: 60_000, hookTimeout: 120_000 },
				},
			},
			{
				extends: true,
				test: {
					...{ name: "system", include: system, exclude: [foreign, long] },
					...{ globalSetup, testTimeout: 120_000, hookTimeout: 120_000 },
				},
			},
			{
				extends: true,
				test: {
					...{ name: "long", include: [long, ...withCampaigns], exclude: [foreign], fileParallelism: false },
					...{ globalSetup, testTimeout: 3_600_000, hookTimeout: 120_000 },
				},
			},
		],
	},
});
