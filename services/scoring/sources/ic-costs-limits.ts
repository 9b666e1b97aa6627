/** What an interconnection cost can be, in any file. Pure. */

/** USD a kW. Published mean costs of withdrawn requests are 300 to 600; beyond this a unit was mistaken. */
export const maxCostPerKw = 20_000;

/** To the cent; or why it is no cost: `otherwise` where there is no number. */
export function checkedCost(cost: number | null, otherwise: string): number | string {
	if (cost === null) return otherwise;
	if (cost < 0) return "the cost is negative";
	if (cost > maxCostPerKw) return `the cost is more than ${maxCostPerKw} USD a kW`;
	return Math.round(cost * 100) / 100;
}
