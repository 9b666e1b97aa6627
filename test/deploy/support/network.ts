/** Connections that the NetworkPolicies of some manifests allow. */
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import type { Manifest } from "./manifests.ts";
import { ofKind, type Pod, podsOf } from "./pods.ts";

type Spec = NonNullable<INetworkPolicy["spec"]>;
type Rule = { peers: NonNullable<NonNullable<Spec["ingress"]>[number]["from"]>; ports: number[] };
type Selector = NonNullable<Spec["podSelector"]>;

/** `from -> to:port`, sorted. What is outside is called by its namespace or its addresses; `*` is every pod. */
export function connections(manifests: Manifest[]): string[] {
	const pods = podsOf(manifests);
	const specs = ofKind<INetworkPolicy>(manifests, "NetworkPolicy").flatMap(({ spec }) => spec ?? []);
	const rulesOf = (pod: Pod, direction: "ingress" | "egress"): Rule[] =>
		specs.filter(({ podSelector }) => selects(podSelector, pod)).flatMap((spec) => rules(spec, direction));
	const found = pods.flatMap((pod) => [
		...rulesOf(pod, "egress").flatMap((rule) => [
			...outside(rule).map((peer) => `${pod.name} -> ${peer}`),
			...within(rule, pods).flatMap(([peer, port]) =>
				within(
					{ peers: rulesOf(peer, "ingress").flatMap((r) => (r.ports.includes(port) ? r.peers : [])), ports: [port] },
					[pod],
				).map(() => `${pod.name} -> ${peer.name}:${port}`),
			),
		]),
		...rulesOf(pod, "ingress").flatMap((rule) =>
			outside(rule).map((peer) => `${peer.replace(/:.*/, "")} -> ${pod.name}:${rule.ports.join()}`),
		),
	]);
	return [...new Set(found)].sort();
}

/** Pods to which a policy applies that lists what may come in, and one that lists what may go out: all else is refused. */
export function closed(manifests: Manifest[]): string[] {
	const specs = ofKind<INetworkPolicy>(manifests, "NetworkPolicy").flatMap(({ spec }) => spec ?? []);
	return podsOf(manifests)
		.filter((pod) =>
			(["Ingress", "Egress"] as const).every((type) =>
				specs.some(({ podSelector, policyTypes }) => policyTypes?.includes(type) && selects(podSelector, pod)),
			),
		)
		.map(({ name }) => name);
}

function rules(spec: Spec, direction: "ingress" | "egress"): Rule[] {
	const numbers = (ports: { port?: number | string }[] = []) => ports.map(({ port }) => Number(port));
	return direction === "ingress"
		? (spec.ingress ?? []).map(({ from = [], ports }) => ({ peers: from, ports: numbers(ports) }))
		: (spec.egress ?? []).map(({ to = [], ports }) => ({ peers: to, ports: numbers(ports) }));
}

const outside = ({ peers, ports }: Rule): string[] =>
	peers.flatMap(({ namespaceSelector, ipBlock }) => {
		const name = namespaceSelector?.matchLabels?.["kubernetes.io/metadata.name"] ?? ipBlock?.cidr;
		return name === undefined ? [] : [`${name}:${[...new Set(ports)].join()}`];
	});

const within = ({ peers, ports }: Rule, pods: Pod[]): [Pod, number][] =>
	peers.flatMap(({ podSelector, namespaceSelector }) =>
		podSelector === undefined || namespaceSelector !== undefined
			? []
			: pods
					.filter((pod) => selects(podSelector, pod))
					.flatMap((pod) => ports.map((port): [Pod, number] => [pod, port])),
	);

function selects({ matchLabels = {}, matchExpressions = [] }: Selector = {}, { labels }: Pod): boolean {
	return (
		Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
		matchExpressions.every(({ key, operator, values = [] }) => {
			if (operator !== "In") throw new Error(`the operator ${operator} is not known here`);
			return values.includes(labels[key] ?? "");
		})
	);
}
