/** Further quantities as they are written: money, points, shares. */

const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 2 });
const hundredths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Whole dollars. */
export const dollars = (usd: number): string => money.format(usd);

/** Dollars a kW. */
export const perKw = (usd: number): string => `${cents.format(usd)}/kW`;

/** Points of a score: to two decimals at most, which is what a whole score times its weight has. */
export const points = (value: number): string => hundredths.format(value);

/** The same with its sign. */
export const signed = (value: number): string => `${value < 0 ? "−" : "+"}${points(Math.abs(value))}`;

/** A share from 0 to 1 to three decimals, as the backtest states it. */
export const share3 = (share: number | null): string => (share === null ? "–" : share.toFixed(3));

/** A share in percent, to one decimal at most. */
export const percent1 = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
