// The settings of a training: those that do not change the network.

import { t, term } from "./texts.js";

export const NAMES = {
  td: term("TD learning"),
  sarsa: "SARSA",
  q: term("Q-learning"),
  regret: term("regret matching"),
};
const FIELDS = [
  { name: "alpha", label: term("learning rate α"), low: 0.0001, high: 1000, step: 0.05 },
  { name: "alpha_final", label: term("α at the end"), low: 0.0001, high: 1000, step: 0.05 },
  { name: "epsilon", label: term("exploration ε"), low: 0, high: 1, step: 0.01 },
  { name: "epsilon_final", label: term("ε at the end"), low: 0, high: 1, step: 0.01 },
  { name: "gamma", label: term("discount γ"), low: 0, high: 1, step: 0.01 },
];

// The settings that an algorithm has.
export const fieldsOf = ({ learner: { td } }) => FIELDS.filter(({ name }) => name in td);

export function usual(training) {
  const { td } = training.learner;
  const chosen = Object.fromEntries(fieldsOf(training).map(({ name }) => [name, td[name]]));
  return { ...chosen, episodes: training.quick, farl: true, seed: 1 };
}

export function Settings({ trainings, which, setWhich, settings, setSettings }) {
  const set = (name, value) => setSettings({ ...settings, [name]: value });
  const number = (event, low, high, whole) => {
    const value = Math.min(high, Math.max(low, Number(event.target.value) || low));
    event.target.value = String(whole ? Math.round(value) : value);
    return whole ? Math.round(value) : value;
  };
  return (
    <details class="settings">
      <summary>{t("Settings")}</summary>
      <div class="fields">
        <label>
          <span>{t("algorithm")}</span>
          <select value={which} onChange={(event) => setWhich(Number(event.target.value))}>
            {trainings.map(({ algo }, i) => (
              <option key={algo} value={i}>
                {t(NAMES[algo])}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t("episodes")}</span>
          <input
            type="number"
            min="10"
            max="1000000000"
            value={settings.episodes}
            onChange={(e) => set("episodes", number(e, 10, 1e9, true))}
          />
        </label>
        {fieldsOf(trainings[which]).map(({ name, label, low, high, step }) => (
          <label key={name}>
            <span>{t(label)}</span>
            <input
              type="number"
              min={low}
              max={high}
              step={step}
              value={settings[name]}
              onChange={(e) => set(name, number(e, low, high, false))}
            />
          </label>
        ))}
        <label>
          <span>{t("seed")}</span>
          <select value={settings.seed} onChange={(e) => set("seed", Number(e.target.value))}>
            {trainings[which].streams.map((_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
        <label class="switch">
          <input
            type="checkbox"
            checked={settings.farl}
            onChange={(e) => set("farl", e.target.checked)}
          />
          <span>{t("FARL for “Train once”")}</span>
        </label>
      </div>
    </details>
  );
}
