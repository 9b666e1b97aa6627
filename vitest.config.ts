import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import LongestFirst from "./test/support/longest-first.ts";

const { TEST_POSTGRES_URL, TEST_NATS_URL, TEST_REDIS_URL } = process.env;
const servers = "./test/support/global-setup.ts";
const long = "test/**/*.long.test.ts";
/** Packages of judges bring tests of their own, once they are installed. */
const foreign = "**/node_modules/**";
/** They run clusters of NATS, whose elections are late where others compute, or judge how late answers are: one file at a time. */
const alone = [
	"test/cluster/{nats,nats-system}.test.ts",
	"test/deploy/nats-conf.test.ts",
	"test/faults/system/{deadlines,under-load}.test.ts",
];

/** They run servers and systems, and wait for what those decide among themselves: time limits, restarts, attempts. */
const waiting = [
	"test/backup/*.test.ts",
	"test/cluster/{migrate,replicas,standby,standby-reads,upgrade}.test.ts",
	"test/extracts/write.test.ts",
	"test/faults/access-*.test.ts",
	"test/faults/kill-*.test.ts",
	"test/faults/system/*.test.ts",
	"test/subscriptions/kills.test.ts",
];

/** They start whole systems, read real files or ask judges of others (linters, validators, clients, browsers). */
const system = [
	"test/**/*real*.test.ts",
	"test/**/{judges,tools,register-browser}.test.ts",
	"test/{containers,flows,soak}/**/*.test.ts",
	"test/deploy/{compose,image,k8s,k8s-schema,prepare,prepare-managed}.test.ts",
	"test/faults/*.test.ts",
	"test/queue-ingest/export-memory.test.ts",
	"test/security/{secrets,tls-*}.test.ts",
	"test/web/*.test.ts",
];

/** Files that run in one process spare each loading the modules; what one of them replaces is put back. */
const sharing = { isolate: false, restoreMocks: true };

export default defineConfig({
	test: {
		environment: "node",
		// Of the processes that tests start, too: each loads modules that another has compiled.
		env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)) },
		reporters: ["default", "./test/support/closing-line.ts"],
		// Two cores: test files wait for servers more than they compute.
		maxWorkers: 2,
		sequence: { sequencer: LongestFirst },
		// Servers from elsewhere are shared by all test files, which would meet each other there.
		fileParallelism: !(TEST_POSTGRES_URL || TEST_NATS_URL || TEST_REDIS_URL),
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					include: ["{libs,services,web}/**/*.test.ts"],
					...sharing,
					testTimeout: 20_000,
				},
			},
			{
				extends: true,
				test: {
					name: "integration",
					include: ["test/**/*.test.ts"],
					exclude: [foreign, long, ...alone, ...waiting, ...system],
					...sharing,
					globalSetup: servers,
					testTimeout: 60_000,
					hookTimeout: 120_000,
				},
			},
			{
				extends: true,
				test: {
					name: "system",
					include: system,
					exclude: [foreign, long, ...waiting],
					...sharing,
					globalSetup: servers,
					testTimeout: 60_000,
					hookTimeout: 120_000,
				},
			},
			{
				extends: true,
				// After those that compute, and more at once than there are cores.
				test: {
					name: "waiting",
					include: waiting,
					exclude: [foreign, long, ...alone],
					maxWorkers: 3,
					// Without `restoreMocks`: a clock is replaced for a whole file, and put back by vitest at its end.
					isolate: false,
					sequence: { groupOrder: 1 },
					globalSetup: servers,
					// Each wait has a limit of its own.
					testTimeout: 120_000,
					hookTimeout: 120_000,
				},
			},
			{
				extends: true,
				// After the others, one file at a time.
				test: {
					name: "alone",
					include: alone,
					exclude: [foreign, long],
					fileParallelism: false,
					globalSetup: servers,
					// They wait for what servers decide among themselves, each wait with a limit of its own.
					testTimeout: 120_000,
					hookTimeout: 120_000,
				},
			},
			{
				extends: true,
				test: {
					name: "long",
					include: [long],
					exclude: [foreign],
					globalSetup: servers,
					testTimeout: 3_600_000,
					hookTimeout: 60_000,
				},
			},
		],
	},
});
