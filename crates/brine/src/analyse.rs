//! Everything that is usually asked about a net at once.

use crate::{Error, Model, Options};
use brine_check::analysis::{Analysis, AnalysisError, AnalysisQuestion, analyse};

impl Model {
    /// Answers the usual questions about a net: deadlock, bounds, dead and live transitions, home
    /// markings, soundness as a workflow net. The engines answer together, so the options are
    /// budgets; others are refused. What a budget leaves open is `None`, and [`Analysis::reason`]
    /// says which one.
    ///
    /// ```
    /// use brine::{Model, NetBuilder, Options};
    /// let mut net = NetBuilder::new("lamp");
    /// let (off, on) = (net.place("off", 1), net.place("on", 0));
    /// net.transition("switch_on", &[(off, 1)], &[(on, 1)]);
    /// net.transition("switch_off", &[(on, 1)], &[(off, 1)]);
    /// let analysis = Model::from_net(net.build()?)?.analyse(&Options::new())?;
    /// assert_eq!((analysis.deadlock, analysis.live), (Some(false), Some(true)));
    /// assert_eq!(analysis.markings.as_deref(), Some("2"));
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn analyse(&self, options: &Options) -> Result<Analysis, Error> {
        options.ensure_budgets_only()?;
        let limits = options.start();
        let mut found = Analysis::default();
        found.model = self.name().to_owned();
        let plain = match self.plain(&limits) {
            Ok(plain) => plain,
            Err(error) if error.kind == crate::ErrorKind::Stopped => {
                found.reason = Some(limits.stop().word());
                return Ok(found);
            }
            Err(error) => return Err(error),
        };
        let question = AnalysisQuestion {
            net: plain.net(),
            groups: plain.model.coloured.as_ref(),
            structure: &plain.structure(limits.control()),
            budget: limits.budget(),
        };
        match analyse(question, &mut found, &mut |_| ()) {
            // What was found before stands.
            Ok(()) | Err(AnalysisError::Stop(_)) => Ok(found),
            Err(AnalysisError::Decide(error)) => Err(error.into()),
        }
    }
}
